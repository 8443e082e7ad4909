public import EligibilityRules
public import OfferStore
import OfferStoreSQL

/// The audit log in PostgreSQL.
public struct PostgreSQLAuditStore: AuditStore {
    private static let slice: Int64 = 50_000
    /// Keeps retention from dropping a partition of which the snapshot should have rows.
    ///
    /// It runs before the first query, and therefore before the snapshot, because a `LOCK` takes no snapshot itself.
    private static let hold = SQLStatement("LOCK TABLE signed_request, refused_request, nonce_series IN ACCESS SHARE MODE")

    private let store: PostgreSQLStore
    private let audit: AuditWriter

    /// Works on this open store.
    public init(_ store: PostgreSQLStore) {
        self.store = store
        audit = store.audit!
    }

    /// The log's unique name.
    public var origin: String { audit.identity.origin }

    /// Records events in their own transaction.
    public func record(_ events: [AuditEvent]) async throws(StoreError) {
        try await store.writeAudited("record what was done", .latest) { try $1.record(events, $0) }
    }

    /// Sets the key that seals from now on.
    public func use(_ signer: AuditSigner?) { audit.use(signer) }

    /// Seals in its own transaction. If two processes seal at the same time, one of them retries.
    public func seal(at now: Instant, certifying key: [UInt8]?) async throws(StoreError) -> String? {
        try await store.writeAudited("seal the audit log") { transaction, audit in
            if let key { audit.state.sealing.certify(key) }
            return try audit.seal(at: now, transaction)
        }
    }

    /// Seals in its own transaction, together with chains of processes that have ended.
    public func seal(at now: Instant, covering ends: [AuditReport.UnsealedEnd]) async throws(StoreError) -> String? {
        try await store.writeAudited("seal the audit log") { transaction, audit in
            audit.state.sealing.cover(ends)
            return try audit.seal(at: now, transaction)
        }
    }

    /// The latest seal.
    public func latestSeal() async throws(StoreError) -> String? {
        try await store.read("read the latest seal") { try SealRows(transaction: $0).latestSeal()?.note }
    }

    /// Reads beside the writers.
    public func verify(_ trust: AuditTrust, heads: [KeptSeal]) async throws(StoreError) -> AuditReport {
        try await store.scan("verify the audit log") { [audit] transaction in
            transaction.enqueue(Self.hold)
            return try AuditVerification.run(
                PostgreSQLAuditSource(transaction, audit.identity), origin: audit.identity.origin, trust: trust,
                heads: heads, audit.identity.functions)
        }
    }

    /// Begins at the first seal.
    public func walk(_ trust: AuditTrust) -> AuditWalk { AuditWalk(origin: origin, trust: trust, audit.identity.functions) }

    /// Reads beside the writers.
    public func step(_ walk: AuditWalk, limit: Int64) async throws(StoreError) -> AuditWalk {
        try await store.scan("verify the audit log") { [audit] transaction in
            transaction.enqueue(Self.hold)
            var walk = walk
            try walk.step(PostgreSQLAuditSource(transaction, audit.identity), limit: limit)
            return walk
        }
    }

    /// Reads beside the writers.
    public func export(_ body: @escaping @Sendable (_ line: [UInt8]) throws -> Void) async throws(StoreError) {
        try await store.scan("export the audit log") { [audit] transaction in
            transaction.enqueue(Self.hold)
            try PostgreSQLAuditExport(transaction: transaction, identity: audit.identity, body: body).run()
        }
    }

    /// Searches beside the writers, then overwrites in one transaction.
    public func erase(_ ids: Set<String>, bundleID: String, audit event: AuditEvent) async throws(StoreError) -> Int {
        try await AuditErasure(store: store, log: self, ids: ids.filter { !$0.isEmpty }, bundleID: bundleID).run(event)
    }

    /// Reads only rows of a stretch of time.
    public func events(naming ids: Set<String>, partition: AppPartition, in slice: AuditSlice) async throws(StoreError)
        -> [AuditEvent]
    {
        try await store.scan("look for a customer's events") { transaction in
            let table = AuditTable.events
            return try table.namingRows(ids, [partition], in: slice, table.eventColumns, transaction)
                .map { AuditEntry(table, $0).event }
        }
    }

    /// Counts the entries of the index on times.
    public func count(_ table: AuditTable, from: Instant?, until: Instant?) async throws(StoreError) -> Int64 {
        try await store.scan("count rows of the audit log") { transaction in
            transaction.waitLong()
            let time = table.entryColumns.time
            return try transaction.run(
                "SELECT count(*) FROM \(table.rawValue) WHERE \(time) >= $1 AND \(time) < $2",
                .number(from?.milliseconds ?? .min), .number(until?.milliseconds ?? .max)
            ).first { $0.number(0) }!
        }
    }

    /// Returns stretches of time, each with this many rows, found with the index on times.
    public func slices(of table: AuditTable, latest: Int64?) async throws(StoreError) -> AuditSlices {
        try await store.scan("read the ends of the audit log") { transaction in
            try AuditSlicing(table: table, rowsPerSlice: Self.slice, transaction: transaction).run(latest: latest)
        }
    }

    /// Adds up the offers by minute, which each process counts for the rows that it writes.
    public func tally(_ table: AuditTable, since minute: Int64) async throws(StoreError) -> AuditTally {
        try await store.scan("add up rows of the audit log") { transaction in
            let rows = try transaction.run(
                """
                SELECT minute, bundle_id, outcome, sum(offers)::int8 FROM offer_tally WHERE minute >= $1 AND table_name = $2
                GROUP BY minute, bundle_id, outcome
                """, .number(minute), .text(table.rawValue))
            let parts = rows.map { row in
                AuditTally.Part(
                    minute: row.number(0), partition: AppPartition(name: row.text(1)), outcome: row.text(2),
                    offers: Int(row.number(3)))
            }
            return AuditTally(parts, since: minute)
        }
    }

    /// Reads backwards in time, some thousand rows at a time.
    public func entries(
        _ table: AuditTable,
        _ filter: AuditFilter,
        before: Int64?,
        limit: Int
    ) async throws(StoreError) -> [AuditEntry] {
        var entries: [AuditEntry] = []
        var next = before
        repeat {
            let slice = try await store.scan("look into the audit log") {
                [next, limit = limit - entries.count, size = store.rowsPerSlice] transaction in
                try table.entries(filter, before: next, limit: limit, size: size, transaction)
            }
            entries += slice.entries
            next = slice.end
        } while next != nil && entries.count < limit
        return entries
    }
}

/// Divides a table of the log into stretches of time.
struct AuditSlicing {
    let table: AuditTable
    let rowsPerSlice: Int64
    let transaction: Transaction

    /// Returns the slices, the earliest first.
    ///
    /// - Parameter latest: how many of the latest rows; nil for all.
    func run(latest: Int64?) throws -> AuditSlices {
        let time = table.entryColumns.time
        let ends = try transaction.run("SELECT min(\(time)), max(\(time)) FROM \(table.rawValue)").first { row in
            row.optionalNumber(0).map { first in (first: first, last: row.number(1)) }
        }
        guard let ends = ends ?? nil else { return AuditSlices([], maxRows: 0, since: nil) }
        var slices: [AuditSlice] = []
        var (end, rows) = (ends.last + 1, Int64(0))
        while end > ends.first, rows < latest ?? .max {
            let (start, count) = try slice(before: end, rows: min(rowsPerSlice, (latest ?? .max) - rows))
            slices.append(AuditSlice(start..<end))
            (end, rows) = (start, rows + count)
        }
        return AuditSlices(
            slices.reversed(), maxRows: rows, since: end > ends.first ? Instant(milliseconds: end) : nil)
    }

    /// Finds where this many rows begin. Rows of the same instant stay together.
    private func slice(before end: Int64, rows: Int64) throws -> (start: Int64, count: Int64) {
        let time = table.entryColumns.time
        return try transaction.run(
            """
            SELECT min(at), count(*) FROM (
                SELECT \(time) AS at FROM \(table.rawValue) WHERE \(time) < $1 ORDER BY \(time) DESC LIMIT $2) AS slice
            """, .number(end), .number(rows)
        ).first { ($0.number(0), $0.number(1)) }!
    }
}

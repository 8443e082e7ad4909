public import EligibilityRules
import FoundationEssentials
import GRDB
public import OfferStore
import OfferStoreSQL

/// The audit log in SQLite.
public struct SQLiteAuditStore: AuditStore {
    private let store: SQLiteStore
    private let audit: AuditWriter
    private let tallies: [AuditTable: AuditTallies]

    /// Works on this open store.
    public init(store: SQLiteStore) {
        self.store = store
        audit = store.audit!
        let tables = AuditTable.allCases.compactMap { table in AuditTallies(table).map { (table, $0) } }
        tallies = Dictionary(uniqueKeysWithValues: tables)
    }

    /// The log's unique name.
    public var origin: String { audit.identity.origin }

    /// Records events in their own transaction.
    public func record(_ events: [AuditEvent]) async throws(StoreError) {
        try await store.write("record what was done") { [audit] in try audit.record(events, $0) }
    }

    /// Sets the key that seals from now on.
    public func use(_ signer: AuditSigner?) { audit.use(signer) }

    /// Seals in its own transaction.
    public func seal(at now: Instant, certifying key: [UInt8]?) async throws(StoreError) -> String? {
        try await store.write("seal the audit log") { [audit] database in
            if let key { audit.state.sealing.certify(key) }
            return try audit.seal(at: now, database)
        }
    }

    /// Seals in its own transaction, together with chains of processes that have ended.
    public func seal(at now: Instant, covering ends: [AuditReport.UnsealedEnd]) async throws(StoreError) -> String? {
        try await store.write("seal the audit log") { [audit] database in
            audit.state.sealing.cover(ends)
            return try audit.seal(at: now, database)
        }
    }

    /// The latest seal.
    public func latestSeal() async throws(StoreError) -> String? {
        try await store.read("read the latest seal") { database in
            try String.fetchOne(database, sql: "SELECT note FROM audit_head ORDER BY number DESC LIMIT 1")
        }
    }

    /// Reads on a separate connection, beside the writer.
    public func verify(_ trust: AuditTrust, heads: [KeptSeal]) async throws(StoreError) -> AuditReport {
        try await store.scan("verify the audit log") { [audit] database in
            try AuditVerification.run(
                SQLiteAuditSource(database: database, audit.identity), origin: audit.identity.origin, trust: trust,
                heads: heads, audit.identity.functions)
        }
    }

    /// Begins at the first seal.
    public func walk(_ trust: AuditTrust) -> AuditWalk { AuditWalk(origin: origin, trust: trust, audit.identity.functions) }

    /// Reads on a separate connection, beside the writer.
    public func step(_ walk: AuditWalk, limit: Int64) async throws(StoreError) -> AuditWalk {
        try await store.scan("verify the audit log") { [audit] database in
            var walk = walk
            try walk.step(SQLiteAuditSource(database: database, audit.identity), limit: limit)
            return walk
        }
    }

    /// Reads on a separate connection, beside the writer.
    public func export(_ body: @escaping @Sendable (_ line: [UInt8]) throws -> Void) async throws(StoreError) {
        try await store.scan("export the audit log") { [origin] in
            try SQLiteAuditExport(database: $0, origin: origin, body: body).run()
        }
    }

    /// Searches beside the writer, then overwrites in one transaction.
    public func erase(_ ids: Set<String>, bundleID: String, audit event: AuditEvent) async throws(StoreError) -> Int {
        try await AuditErasure(store: store, audit: audit, ids: ids.filter { !$0.isEmpty }, bundleID: bundleID).run(event)
    }

    /// Reads only the rows of the slice.
    public func events(naming ids: Set<String>, partition: AppPartition, in slice: AuditSlice) async throws(StoreError)
        -> [AuditEvent]
    {
        try await store.scan("look for a customer's events") { database in
            let table = AuditTable.events
            return try table.rows(naming: ids, table.eventColumns, in: partition, slice.bounds, database)
                .map { AuditEntry(table, $0).event }
        }
    }

    /// Finds the ends by binary search: numbers have no gaps, and rows are in the order of time except within a batch.
    public func count(_ table: AuditTable, from: Instant?, until: Instant?) async throws(StoreError) -> Int64 {
        try await store.scan("count rows of the audit log") { database in
            let ends = try Row.fetchOne(database, sql: "SELECT min(id), max(id) FROM \(table.rawValue)")!
            guard let first = ends[0] as Int64?, let last = ends[1] as Int64? else { return 0 }
            let sql = "SELECT \(table.entryColumns.time) FROM \(table.rawValue) WHERE id >= ? ORDER BY id LIMIT 1"
            func place(of instant: Instant?, _ otherwise: Int64) throws -> Int64 {
                guard let instant else { return otherwise }
                var (low, high) = (first, last + 1)
                while low < high {
                    let middle = low + (high - low) / 2
                    let time = try Int64.fetchOne(database.cachedStatement(sql: sql), arguments: [middle]) ?? .max
                    if time < instant.milliseconds { low = middle + 1 } else { high = middle }
                }
                return low
            }
            return try max(0, place(of: until, last + 1) - place(of: from, first))
        }
    }

    /// Finds rows by the primary key.
    public func slices(of table: AuditTable, latest: Int64?) async throws(StoreError) -> AuditSlices {
        try await store.scan("read the ends of the audit log") { database in
            let ends = try Row.fetchOne(database, sql: "SELECT min(id), max(id) FROM \(table.rawValue)")!
            guard let first = ends[0] as Int64?, let last = ends[1] as Int64? else { return AuditSlices(0..<0, every: 1) }
            let start = max(first, latest.map { last + 1 - $0 } ?? first)
            var since: Instant?
            if start > first {
                let sql = "SELECT \(table.entryColumns.time) FROM \(table.rawValue) WHERE id >= ? ORDER BY id LIMIT 1"
                since = Instant(milliseconds: try Int64.fetchOne(database, sql: sql, arguments: [start])!)
            }
            return AuditSlices(start..<last + 1, every: 50_000, since: since)
        }
    }

    /// Reads only what is new since the last call.
    public func tally(_ table: AuditTable, since minute: Int64) async throws(StoreError) -> AuditTally {
        guard let tallies = tallies[table] else { return AuditTally([], since: minute) }
        return try await store.scan("add up rows of the audit log") { try tallies.tally(since: minute, in: $0) }
    }

    /// Reads backwards by id, which is the order of time except within a batch, some thousand rows at a time.
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
                [next, limit = limit - entries.count, size = store.rowsPerSlice] database in
                try table.entries(filter, before: next, limit: limit, size: size, database)
            }
            entries += slice.entries
            next = slice.end
        } while next != nil && entries.count < limit
        return entries
    }
}

/// Exports the log as lines of JSON, for verification without this program.
struct SQLiteAuditExport {
    let database: Database
    let origin: String
    let body: (_ line: [UInt8]) throws -> Void

    /// Exports where tables begin, chains, rows by table, and seals.
    func run() throws {
        try body(AuditExportLine.log(origin: origin))
        for mark in try AuditTableMark.all(database) { try body(AuditExportLine.table(mark)) }
        for chain in try AuditChain.all(database) {
            try body(AuditExportLine.chain(chain))
        }
        for table in AuditTable.allCases { try write(table) }
        let seals = try PreparedStatement(database, "SELECT number, note FROM audit_head ORDER BY number")
        defer { seals.reset() }
        while try seals.step() { try body(AuditExportLine.seal(seals.number(0), note: seals.text(1))) }
    }

    private func write(_ table: AuditTable) throws {
        let names = table.chainedColumns
        let rows = try PreparedStatement(
            database, "SELECT \(names.joined(separator: ", ")) FROM \(table.rawValue) ORDER BY id")
        defer { rows.reset() }
        while try rows.step() {
            try body(
                AuditExportLine.row(table, names, isNull: { rows.isNull($0) }, append: { rows.append($0, to: &$1) }))
        }
    }
}

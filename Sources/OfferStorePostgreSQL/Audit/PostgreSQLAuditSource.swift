import EligibilityRules
import OfferStore
import OfferStoreSQL

/// The data for a verification, from one snapshot, some thousand rows at a time.
final class PostgreSQLAuditSource: AuditSource {
    private static let page: Int64 = 5000

    let isDense = false
    private let transaction: Transaction
    private let identity: AuditIdentity
    private var series = 0

    init(_ transaction: Transaction, _ identity: AuditIdentity) {
        (self.transaction, self.identity) = (transaction, identity)
    }

    func chains() throws -> [AuditChain] { try AuditChain.all(transaction) }

    func marks() throws -> [AuditTableMark] { try AuditTableMark.all(transaction) }

    func forEachSeal(after number: Int64, limit: Int64, _ body: (_ number: Int64, _ note: String) -> Void) throws {
        var (last, left) = (number, limit)
        while left > 0 {
            let size = min(left, Self.page)
            let seals = try transaction.run(
                "SELECT number, note FROM audit_head WHERE number > $1 ORDER BY number LIMIT $2", .number(last), .number(size))
            seals.forEach { row in
                last = row.number(0)
                body(last, row.text(1))
            }
            left = seals.count < size ? 0 : left - size
        }
    }

    func lastRow(of table: AuditTable) throws -> Int64 {
        try transaction.run("SELECT coalesce(max(id), 0) FROM \(table.rawValue)").first { $0.number(0) }!
    }

    /// Looks up each row, and compares the numbers of series in the two tables.
    func nonceFault() throws -> AuditFault? {
        var last = Int64.min
        while let end = try end(ofPageAfter: last) {
            if let fault = try nonceFault(of: last + 1...end) { return fault }
            last = end
        }
        transaction.waitLong()
        // A partition of nonces stays until retention has removed all requests that used its nonces. The first partition stays
        // for good.
        let kept = try transaction.run(
            """
            SELECT count(*) FROM nonce_series LEFT JOIN audit_chain ON number = signed_request >> \(ChainedRow.placeBits)
            WHERE signed_request > coalesce(removed_row, 0)
            """
        ).first { Int($0.number(0)) }
        return kept == series ? nil : AuditFault(.log, "nonce_series has nonces that no row of signed_request has")
    }

    private func end(ofPageAfter id: Int64) throws -> Int64? {
        let sql = "SELECT max(id) FROM (SELECT id FROM signed_request WHERE id > $1 ORDER BY id LIMIT $2) AS page"
        return try transaction.run(sql, .number(id), .number(Self.page)).first { $0.optionalNumber(0) } ?? nil
    }

    func nonceFault(of rows: ClosedRange<Int64>) throws -> AuditFault? {
        try NonceCheck(transaction: transaction).firstLost(rows).map { row in
            AuditFault(
                .row(.signatures, row), "has nonces that nonce_series has not, or has as another's: they could be used again")
        }
    }

    func decisionFault() throws -> AuditFault? {
        try KeyDecisions.all(identity, transaction).fault ?? AccessComparison.all(identity, transaction).fault
            ?? StateComparison.fault(identity, transaction)
    }

    func forEachRow(
        of table: AuditTable,
        _ ids: ClosedRange<Int64>,
        limit: Int64,
        _ body: (_ id: Int64, _ chain: Int64, _ link: UnsafeRawBufferPointer, _ row: AuditRowEncoder?) throws -> Void
    ) throws {
        let sql = """
            SELECT \(table.chainedColumns.joined(separator: ", ")) FROM \(table.rawValue) WHERE id >= $1 AND id <= $2
            ORDER BY id LIMIT $3
            """
        let encoder = AuditRowEncoder()
        var (first, left) = (ids.lowerBound, limit)
        while left > 0, first <= ids.upperBound {
            let size = min(left, Self.page)
            let rows = try transaction.run(sql, .number(first), .number(ids.upperBound), .number(size))
            try rows.forEach { row in
                first = row.number(0) + 1
                let isWhole = encode(row, of: table, encoder)
                try row.withBytes(2) { link in try body(first - 1, row.number(1), link, isWhole ? encoder : nil) }
            }
            left = rows.count < size ? 0 : left - size
        }
    }

    /// Returns false for a row that is only partly erased.
    private func encode(_ row: Row, of table: AuditTable, _ encoder: AuditRowEncoder) -> Bool {
        encoder.begin(table, id: row.number(0))
        for (index, column) in table.columns.enumerated() {
            let place = Int32(index + AuditTable.leadingColumns.count)
            if case .number = column.kind {
                encoder.append(row.number(place))
            } else if row.isNull(place) {
                encoder.append(column.kind, nil)
            } else {
                row.withBytes(place) { encoder.append(column.kind, $0) }
            }
            if column.name == "nonces" { series += NonceBytes.series(of: row.bytes(place)).count }
        }
        if row.isNull(3) {
            encoder.finish(identity.keyed)
            return true
        }
        return row.withBytes(3) { encoder.finish(erased: $0) }
    }
}

/// Looks for signed requests whose nonces are not stored as used, in the partitions that can have them.
struct NonceCheck {
    private struct Use: Hashable {
        let series: Int64
        let request: Int64
    }

    let transaction: Transaction

    /// The first of these rows that has such a nonce; nil if none has.
    func firstLost(_ rows: ClosedRange<Int64>) throws -> Int64? {
        let ranges = try transaction.run(
            "SELECT first, until_day FROM nonce_range WHERE to_regclass('nonce_series_' || first) IS NOT NULL"
        ).map { ($0.number(0), untilDay: $0.number(1)) }
        var missing: Set<Use> = []
        var uses: [Int64: [Use]] = [:]
        try transaction.run(
            "SELECT id, signed_at, nonces FROM signed_request WHERE id BETWEEN $1 AND $2", .number(rows.lowerBound),
            .number(rows.upperBound)
        ).forEach { row in
            let (request, day) = (row.number(0), row.instant(1).day)
            for series in NonceBytes.series(of: row.bytes(2)) {
                let use = Use(series: series, request: request)
                missing.insert(use)
                // A nonce can be used for less than a day after the day of its issue.
                for (first, untilDay) in ranges where first <= day && untilDay >= day { uses[first, default: []].append(use) }
            }
        }
        for (partition, uses) in uses { try find(uses, in: partition, &missing) }
        // Nonces without a known day are in the first partition.
        if !missing.isEmpty { try find(Array(missing), in: 0, &missing) }
        return missing.map(\.request).min()
    }

    private func find(_ uses: [Use], in partition: Int64, _ missing: inout Set<Use>) throws {
        let sql = "SELECT series, signed_request FROM nonce_series_\(partition) WHERE series = ANY($1)"
        try transaction.run(sql, .numbers(uses.map(\.series))).forEach { row in
            missing.remove(Use(series: row.number(0), request: row.number(1)))
        }
    }
}

import OfferStore
import OfferStoreSQL

/// Chains opened on the same days: their rows are a partition of each table, and are dropped together.
struct ChainRange: Sendable {
    /// The number of chains in a range.
    ///
    /// With a range for each day, the numbers of chains last for forty years.
    static let usualCount: Int64 = 512
    private static let tables = [AuditTable.signatures, .refusals]

    /// The number of the first chain.
    let first: Int64
    /// The number of chains.
    let count: Int64

    /// The number behind the last chain.
    var end: Int64 { first + count }

    /// The partition of a table.
    func partition(of table: AuditTable) -> String { "\(table.rawValue)_\(first)" }

    /// The column that says whether the partition of a table was dropped.
    static func isDropped(_ table: AuditTable) -> String { "\(table.rawValue)_dropped" }

    /// Takes the number of a new chain on a day. Makes the day's range if there is none with a free number.
    static func takeNumber(on day: Int64, _ transaction: Transaction) throws -> Int64 {
        if let number = try takeFreeNumber(on: day, transaction) { return number }
        try lock(transaction)
        if let number = try takeFreeNumber(on: day, transaction) { return number }
        try make(for: day..<day + 1, transaction)
        return try takeFreeNumber(on: day, transaction)!
    }

    /// Makes a range for some days ahead, unless the first of these days has one already.
    static func prepare(for days: Range<Int64>, _ transaction: Transaction) throws {
        guard try !hasRange(days.lowerBound, transaction) else { return }
        try lock(transaction)
        guard try !hasRange(days.lowerBound, transaction) else { return }
        try make(for: days, transaction)
    }

    private static let isOfDay = """
        from_day <= $1 AND until_day > $1 AND opened < chains AND NOT \(isDropped(.signatures)) AND NOT \(isDropped(.refusals))
        """

    private static func hasRange(_ day: Int64, _ transaction: Transaction) throws -> Bool {
        try transaction.run("SELECT 1 FROM chain_range WHERE \(isOfDay)", .number(day)).count > 0
    }

    private static func takeFreeNumber(on day: Int64, _ transaction: Transaction) throws -> Int64? {
        try transaction.run(
            """
            UPDATE chain_range SET opened = opened + 1
            WHERE first = (SELECT max(first) FROM chain_range WHERE \(isOfDay)) AND opened < chains
            RETURNING first + opened - 1
            """, .number(day)
        ).first { $0.number(0) }
    }

    // Processes that need a new range at once wait for each other here.
    private static func lock(_ transaction: Transaction) throws {
        _ = try transaction.run("SELECT first FROM chain_range WHERE first = 0 FOR UPDATE")
    }

    private static func make(for days: Range<Int64>, _ transaction: Transaction) throws {
        let first = try transaction.run(
            """
            INSERT INTO chain_range (first, chains, from_day, until_day) SELECT max(first + chains), $1, $2, $3 FROM chain_range
            RETURNING first
            """, .number(usualCount), .number(days.lowerBound), .number(days.upperBound)
        ).first { $0.number(0) }!
        let range = ChainRange(first: first, count: usualCount)
        for table in tables {
            let (partition, bits) = (range.partition(of: table), ChainedRow.placeBits)
            transaction.makePartition(
                partition, of: table.rawValue, "INCLUDING ALL", values: "FROM (\(first << bits)) TO (\(range.end << bits))")
        }
    }
}

extension Transaction {
    /// Makes a partition. Blocks no reader and no writer of the table, unlike `PARTITION OF`.
    func makePartition(_ name: String, of table: String, _ likeness: String, values: String) {
        enqueue(SQLStatement("CREATE TABLE \(name) (LIKE \(table) \(likeness))"))
        enqueue(SQLStatement("ALTER TABLE \(table) ATTACH PARTITION \(name) FOR VALUES \(values)"))
    }
}

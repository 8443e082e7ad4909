import OfferStore
import OfferStoreSQL

/// Partitions made as a service makes them, by which those in the database are judged.
enum PartitionSamples {
    /// Later than any nonce's day.
    private static let day: Int64 = 99_999
    /// The first number that a service gives.
    private static let chain: Int64 = 1 << 20
    private static let ledger = [AuditTable.signatures, .refusals]

    /// Whether an object belongs to the tables that say which partitions there are.
    static func isOfRanges(_ name: String) -> Bool { name.contains("chain_range") || name.contains("nonce_range") }

    /// Makes one of each kind.
    static func make(_ transaction: Transaction) throws {
        try NoncePartitions.prepare(for: day..<day + 1, transaction)
        try ChainRange.prepare(for: day..<day + 1, transaction)
    }

    /// Puts those that the store says it has in the place of the samples.
    static func expand(_ schema: StoreSchema, _ transaction: Transaction) throws -> StoreSchema {
        let nonces = schema.divided { $0.contains("nonce_series_\(day)") }
        var expanded = nonces.rest
        let days = try transaction.run("SELECT first FROM nonce_range WHERE first > 0 AND NOT is_dropped").map { $0.number(0) }
        for first in days { expanded.add(nonces.matching.replacing("\(day)", with: "\(first)")) }
        for table in ledger { expanded = try expand(expanded, table, transaction) }
        return expanded
    }

    private static func expand(_ schema: StoreSchema, _ table: AuditTable, _ transaction: Transaction) throws -> StoreSchema {
        let sample = schema.divided { isPart($0, of: "\(table.rawValue)_\(chain)") }
        // The first partition goes, too.
        let first = sample.rest.divided { isPart($0, of: "\(table.rawValue)_0") }
        var expanded = first.rest
        let sql = "SELECT first, chains FROM chain_range WHERE NOT \(ChainRange.isDropped(table))"
        for range in try transaction.run(sql).map({ ChainRange(first: $0.number(0), count: $0.number(1)) }) {
            expanded.add(range.first == 0 ? first.matching : sample.matching.forRange(range, of: table))
        }
        return expanded
    }

    /// Whether an object is a table, or something of it, such as `column signed_request_0.id`.
    private static func isPart(_ name: String, of table: String) -> Bool {
        name.split(separator: " ").last?.split(separator: ".").first?.elementsEqual(table) ?? false
    }
}

extension StoreSchema {
    fileprivate func forRange(_ range: ChainRange, of table: AuditTable) -> StoreSchema {
        let sample = ChainRange(first: 1 << 20, count: ChainRange.usualCount)
        func bound(_ number: Int64) -> String { "'\(number << ChainedRow.placeBits)'" }
        return replacing(bound(sample.end), with: bound(range.end)).replacing(bound(sample.first), with: bound(range.first))
            .replacing(sample.partition(of: table), with: range.partition(of: table))
    }
}

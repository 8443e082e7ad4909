import OfferStore
import OfferStoreSQL
import Synchronization

/// Sample partitions, made as a service makes them, with which the partitions in the database are compared.
enum PartitionSamples {
    /// The day of the samples, which is later than the day of any nonce.
    private static let day: Int64 = 99_999
    /// The number of the first chain of the samples, which is the first number that a service assigns.
    private static let chain: Int64 = 1 << 20
    private static let ledger = [AuditTable.signatures, .refusals]

    /// Whether an object belongs to the tables that say which partitions there are.
    static func isOfRanges(_ name: String) -> Bool { name.contains("chain_range") || name.contains("nonce_range") }

    /// Makes one sample of each kind.
    static func make(_ transaction: Transaction) throws {
        try NoncePartitions.prepare(for: day..<day + 1, transaction)
        try ChainRange.prepare(for: day..<day + 1, transaction)
    }

    /// Replaces the samples in a schema by the partitions that the store says it has.
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
        // The first partition may have been dropped, too.
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

/// The partitions of `nonce_series`, each for nonces issued on some days, as far as this process has needed them.
///
/// The day is proven by the nonce's seal. So a nonce has the same partition in every process at any time, and is used at most
/// once.
final class NoncePartitions: Sendable {
    // Ranges never change. If the partition of a known range was dropped, the statements that name it fail.
    private let known = Mutex<[Range<Int64>]>([])

    /// The partitions for these series: by day, the first day of the partition, which is in its rows and name.
    func partitions(of series: [LedgerKeys.Series], _ transaction: Transaction) throws -> [Int64: Int64] {
        var found: [Int64: Int64] = [:]
        for one in series where found[one.issuedDay] == nil {
            found[one.issuedDay] = try partition(of: one.issuedDay, transaction)
        }
        return found
    }

    private func partition(of day: Int64, _ transaction: Transaction) throws -> Int64 {
        if let range = known.withLock({ $0.first { $0.contains(day) } }) { return range.lowerBound }
        let range = try Self.find(day, transaction) ?? Self.make(for: day..<day + 1, transaction)
        transaction.afterCommit { [self] in known.withLock { $0.append(range) } }
        return range.lowerBound
    }

    /// Makes a partition for some days ahead, unless the first of these days has one already.
    static func prepare(for days: Range<Int64>, _ transaction: Transaction) throws {
        if try find(days.lowerBound, transaction) == nil { _ = try make(for: days, transaction) }
    }

    private static func find(_ day: Int64, _ transaction: Transaction) throws -> Range<Int64>? {
        let sql = "SELECT first, until_day, is_dropped FROM nonce_range WHERE first <= $1 ORDER BY first DESC LIMIT 1"
        let last = try transaction.run(sql, .number(day)).first { ($0.number(0)..<$0.number(1), isDropped: $0.flag(2)) }
        guard let (range, isDropped) = last, range.contains(day) else { return nil }
        // Another partition for these days would let their nonces be used again.
        if isDropped { throw StoreError(.unavailable, "a nonce is of a day whose used nonces retention has dropped") }
        return range
    }

    private static func make(for days: Range<Int64>, _ transaction: Transaction) throws -> Range<Int64> {
        // Processes that need a new partition at once wait for each other here.
        _ = try transaction.run("SELECT first FROM nonce_range WHERE first = 0 FOR UPDATE")
        if let range = try find(days.lowerBound, transaction) { return range }
        let (first, last) = (days.lowerBound, days.upperBound)
        let end = try transaction.run(
            """
            INSERT INTO nonce_range (first, until_day) SELECT $1, least($2, min(first)) FROM nonce_range WHERE first > $1
            RETURNING until_day
            """, .number(first), .number(last)
        ).first { $0.number(0) }!
        transaction.makePartition(
            "nonce_series_\(first)", of: "nonce_series", "INCLUDING DEFAULTS, PRIMARY KEY (series)", values: "IN (\(first))")
        return first..<end
    }
}

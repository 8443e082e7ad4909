import OfferStore
import OfferStoreSQL
import Synchronization

/// The partitions of `nonce_series`, each for nonces issued on some days, as far as this process has needed them.
///
/// The day is proven by the nonce's seal. So a nonce has the same partition in every process at any time, and is used once.
final class NoncePartitions: Sendable {
    // Ranges never change. One that was dropped fails to be found in the database.
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

    /// Makes a partition for some days ahead, unless the first of them has one.
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

import OfferStore

/// An in-memory index of outstanding signatures, by the names that they count under.
///
/// SQLite has no such index: it would change another page for each signature, while rows are only appended to the table. Check
/// each result against the table, because the signature may have been deleted, or may never have become durable. Each signature
/// in the table is in this index.
final class ReservationIndex {
    /// A part of the index that is dropped as a whole, once its last signature is deleted.
    private struct Generation {
        // Most names have one signature.
        var first: [LimitKey: Int64] = [:]
        var further: [LimitKey: [Int64]] = [:]
        var last: Int64 = 0

        mutating func insert(_ number: Int64, under name: LimitKey) {
            last = max(last, number)
            // One look-up of the name finds or inserts the number.
            let known = Self.read(&first[name, default: number])
            guard known != number, further[name]?.contains(number) != true else { return }
            further[name, default: []].append(number)
        }

        func count(under name: LimitKey) -> Int { first[name] == nil ? 0 : 1 + (further[name]?.count ?? 0) }

        private static func read(_ number: inout Int64) -> Int64 { number }
    }

    private var current = Generation()
    private var previous = Generation()
    // The first row of each total. After a failed transaction another process may write an earlier row.
    private var heads: [LimitKey: Int64] = [:]

    /// Inserts a signature that counts under a name.
    func insert(_ number: Int64, under name: LimitKey) { current.insert(number, under: name) }

    /// Notes that a row contains a signature that counts for a total. The index keeps only the first such row of each total.
    func insert(row: Int64, of total: LimitKey) { if heads[total].map({ row < $0 }) ?? true { heads[total] = row } }

    /// Drops signatures that were deleted from the front of the table, about those of a day at a time. It needs no clock.
    ///
    /// - Parameter row: the first row of the table, which has the number of a signature; nil if the table is empty.
    func forget(before row: Int64?) {
        guard previous.last < row ?? .max else { return }
        previous = current
        current = Generation()
    }

    /// Whether there may be signatures under a name.
    func mayHave(under name: LimitKey) -> Bool { current.first[name] != nil || previous.first[name] != nil }

    /// The maximum number of signatures under a name.
    func count(under name: LimitKey) -> Int { current.count(under: name) + previous.count(under: name) }

    /// The numbers of possible signatures under a name, the oldest first.
    func numbers(under name: LimitKey) -> [Int64] {
        var numbers: [Int64] = []
        for generation in [previous, current] {
            guard let first = generation.first[name] else { continue }
            numbers.append(first)
            numbers += generation.further[name] ?? []
        }
        return numbers
    }

    /// The first row that may count for the total; nil for none.
    func head(of total: LimitKey) -> Int64? { heads[total] }

    /// Sets the first row that may count for the total.
    func moveHead(of total: LimitKey, to row: Int64?) { heads[total] = row }
}

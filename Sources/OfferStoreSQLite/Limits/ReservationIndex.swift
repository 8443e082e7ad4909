import OfferStore

/// Where signatures that are outstanding stand by the numbers of the names that they count under, in memory.
///
/// A row of the table is written at its end; an index of SQLite's would have each signature change a page of its own.
/// What is found is to be looked at in the table: it may be gone, or never have become durable. What is there is never left out.
final class ReservationIndex {
    /// Goes as a whole when its last signature has gone.
    private struct Generation {
        // Most names have one.
        var first: [LimitKey: Int64] = [:]
        var further: [LimitKey: [Int64]] = [:]
        var last: Int64 = 0

        mutating func insert(_ number: Int64, under name: LimitKey) {
            last = max(last, number)
            // Looks the name up once, and takes the number in where it is new.
            let known = Self.read(&first[name, default: number])
            guard known != number, further[name]?.contains(number) != true else { return }
            further[name, default: []].append(number)
        }

        private static func read(_ number: inout Int64) -> Int64 { number }
    }

    private var current = Generation()
    private var previous = Generation()
    // Of each total the first row there was. After one of a transaction that failed another process may write an earlier one.
    private var heads: [LimitKey: Int64] = [:]

    /// Takes in a signature that counts under a name.
    func insert(_ number: Int64, under name: LimitKey) { current.insert(number, under: name) }

    /// Takes in a row that has a signature of a total.
    func insert(row: Int64, of total: LimitKey) { if heads[total].map({ row < $0 }) ?? true { heads[total] = row } }

    /// Forgets what has gone from the front of the table, about a day of signatures at a time. No clock is asked: what the table
    /// has is known here.
    ///
    /// - Parameter row: the first that there is, which has the number of a signature; nil if there is none.
    func forget(before row: Int64?) {
        guard previous.last < row ?? .max else { return }
        previous = current
        current = Generation()
    }

    /// Whether any may count under a name.
    func mayHave(under name: LimitKey) -> Bool { current.first[name] != nil || previous.first[name] != nil }

    /// The numbers of those that may count under a name, the oldest first.
    func forEach(under name: LimitKey, _ body: (Int64) throws -> Void) rethrows {
        try Self.forEach(of: previous, under: name, body)
        try Self.forEach(of: current, under: name, body)
    }

    private static func forEach(of generation: Generation, under name: LimitKey, _ body: (Int64) throws -> Void) rethrows {
        guard let first = generation.first[name] else { return }
        try body(first)
        for number in generation.further[name] ?? [] { try body(number) }
    }

    /// No row before this one has one that counts for the total; nil when none has.
    func head(of total: LimitKey) -> Int64? { heads[total] }

    /// Notes that all before this row are gone.
    func moveHead(of total: LimitKey, to row: Int64?) { heads[total] = row }
}

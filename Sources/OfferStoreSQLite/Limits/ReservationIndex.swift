/// Where signatures that are outstanding stand by the numbers of the names that they count under, in memory.
///
/// A row of the table is written at its end; an index of SQLite's would have each signature change a page of its own.
/// What is found is to be looked at in the table: it may be gone, or never have become durable. What is there is never left out.
final class ReservationIndex {
    /// Goes as a whole when its last row has gone.
    private struct Generation {
        var first: [Int64: Int64] = [:]
        var further: [Int64: [Int64]] = [:]
        var last: Int64 = 0

        mutating func insert(_ row: Int64, under name: Int64) {
            guard let known = first[name] else {
                first[name] = row
                return
            }
            if known != row, further[name]?.contains(row) != true { further[name, default: []].append(row) }
        }
    }

    private var current = Generation()
    private var previous = Generation()
    // Of each total the first row there was.
    private var heads: [Int64: Int64] = [:]

    /// Takes in a row.
    func insert(_ row: Int64, names: [Int64], totals: [Int64]) {
        current.last = max(current.last, row)
        for name in names { current.insert(row, under: name) }
        for total in totals where heads[total] == nil { heads[total] = row }
    }

    /// Forgets what has gone from the front of the table, about a day of signatures at a time. No clock is asked: what the table
    /// has is known here.
    ///
    /// - Parameter row: the first that there is; nil if there is none.
    func forget(before row: Int64?) {
        guard previous.last < row ?? .max else { return }
        previous = current
        current = Generation()
    }

    /// Those that may count under a name, the oldest first.
    func forEachRow(under name: Int64, _ body: (Int64) throws -> Void) rethrows {
        if let row = previous.first[name] {
            try body(row)
            for row in previous.further[name] ?? [] { try body(row) }
        }
        if let row = current.first[name] {
            try body(row)
            for row in current.further[name] ?? [] { try body(row) }
        }
    }

    /// No row before this one counts for the total; nil when none does.
    func head(of total: Int64) -> Int64? { heads[total] }

    /// Notes that all before this row are gone.
    func moveHead(of total: Int64, to row: Int64?) { heads[total] = row }
}

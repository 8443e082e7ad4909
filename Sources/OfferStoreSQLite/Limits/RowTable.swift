/// One row for each of many names, which are hashes already: a table with open addressing, half of a dictionary's work.
struct RowTable {
    private static let firstCapacity = 64

    /// A row of 0 is a free place.
    private var places: [(name: Int64, row: Int64)] = []
    private var count = 0

    /// The row of a name; nil for none.
    subscript(name: Int64) -> Int64? {
        if count == 0 { return nil }
        let row = places[place(of: name)].row
        return row == 0 ? nil : row
    }

    /// Takes a row in where the name has none. Returns the one that it has.
    ///
    /// - Parameter row: not 0.
    mutating func insert(_ row: Int64, under name: Int64) -> Int64? {
        if 4 * count >= 3 * places.count { grow() }
        let place = place(of: name)
        let known = places[place].row
        if known != 0 { return known }
        places[place] = (name, row)
        count += 1
        return nil
    }

    /// That of the name, or the free one where it belongs.
    private func place(of name: Int64) -> Int {
        let mask = places.count - 1
        var place = Int(truncatingIfNeeded: name) & mask
        while places[place].row != 0, places[place].name != name { place = (place + 1) & mask }
        return place
    }

    private mutating func grow() {
        let before = places
        places = Array(repeating: (0, 0), count: max(Self.firstCapacity, 2 * before.count))
        for (name, row) in before where row != 0 { places[place(of: name)] = (name, row) }
    }
}

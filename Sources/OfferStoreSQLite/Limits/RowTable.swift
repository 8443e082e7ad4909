/// One row for each of many names, which are hashes already: a table with open addressing, half of a dictionary's work.
struct RowTable {
    private static let firstCapacity = 64

    /// A row of 0 is a free place.
    private var places: [(name: Int64, row: Int64)] = []
    private var count = 0

    /// The row of a name; nil for none.
    subscript(name: Int64) -> Int64? { find(name).map { places[$0].row } }

    /// Takes a row in where the name has none. Returns the one that it has.
    ///
    /// - Parameter row: not 0.
    mutating func insert(_ row: Int64, under name: Int64) -> Int64? {
        if let place = find(name) { return places[place].row }
        if 4 * count >= 3 * places.count { grow() }
        place((name, row))
        count += 1
        return nil
    }

    /// Whoever is farther from home than the one who stands there takes the place (Celis, 1986): who looks for what is not there
    /// soon knows.
    private mutating func place(_ newcomer: (name: Int64, row: Int64)) {
        var (moving, place, distance) = (newcomer, home(of: newcomer.name), 0)
        while places[place].row != 0 {
            let other = self.distance(at: place)
            if other < distance {
                swap(&moving, &places[place])
                distance = other
            }
            place = (place + 1) & (places.count - 1)
            distance += 1
        }
        places[place] = moving
    }

    private func find(_ name: Int64) -> Int? {
        guard count > 0 else { return nil }
        var (place, distance) = (home(of: name), 0)
        while places[place].row != 0 {
            if places[place].name == name { return place }
            guard self.distance(at: place) >= distance else { return nil }
            place = (place + 1) & (places.count - 1)
            distance += 1
        }
        return nil
    }

    private func home(of name: Int64) -> Int { Int(truncatingIfNeeded: name) & (places.count - 1) }

    /// How far from home the one stands who has a place.
    private func distance(at place: Int) -> Int { (place - home(of: places[place].name)) & (places.count - 1) }

    private mutating func grow() {
        let before = places
        places = Array(repeating: (0, 0), count: max(Self.firstCapacity, 2 * before.count))
        for entry in before where entry.row != 0 { place(entry) }
    }
}

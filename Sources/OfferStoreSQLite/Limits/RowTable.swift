/// One row for each of many names, which are hashes already: a table with open addressing.
///
/// Most that are looked for are not there. A byte for each place, with 7 bits of the name that has it, tells so: eight of them are
/// looked at at once, and they are a sixteenth of the table, so they are near when the table is long too large to be.
struct RowTable {
    private static let firstCapacity = 64
    /// Eight marks are read from any place on: the first ones stand behind the last, too.
    private static let overlap = 7

    // 0 is a free place.
    private var marks: [UInt8] = []
    private var places: [(name: Int64, row: Int64)] = []
    private var count = 0

    /// The row of a name; nil for none.
    subscript(name: Int64) -> Int64? { find(name).map { places[$0].row } }

    /// Takes a row in where the name has none. Returns the one that it has.
    mutating func insert(_ row: Int64, under name: Int64) -> Int64? {
        if let place = find(name) { return places[place].row }
        if 4 * count >= 3 * places.count { grow() }
        place((name, row))
        count += 1
        return nil
    }

    /// Brings near what a look at each of some names will read and, where the name is new, write: one after the other, without waiting
    /// for any. Nobody needs what comes of it; it keeps the compiler from leaving the reading out.
    func fetch(_ names: [Int64]) -> Int64 {
        guard count > 0 else { return 0 }
        return names.reduce(0) { sum, name in
            let home = home(of: name)
            return sum ^ Int64(marks[home]) ^ places[home].row
        }
    }

    private mutating func place(_ newcomer: (name: Int64, row: Int64)) {
        var place = home(of: newcomer.name)
        var free = Self.zeroes(in: marks(from: place))
        while free == 0 {
            place = next(place)
            free = Self.zeroes(in: marks(from: place))
        }
        place = (place + Self.first(of: free)) & (places.count - 1)
        places[place] = newcomer
        marks[place] = Self.mark(of: newcomer.name)
        if place < Self.overlap { marks[places.count + place] = marks[place] }
    }

    private func find(_ name: Int64) -> Int? {
        guard count > 0 else { return nil }
        let wanted = UInt64(Self.mark(of: name)) &* 0x0101_0101_0101_0101
        var start = home(of: name)
        while true {
            let marks = marks(from: start)
            let free = Self.zeroes(in: marks)
            // What stands behind a free place has come from there.
            var alike = Self.zeroes(in: marks ^ wanted) & ((free & (0 &- free)) &- 1)
            while alike != 0 {
                let place = (start + Self.first(of: alike)) & (places.count - 1)
                if places[place].name == name { return place }
                alike &= alike &- 1
            }
            if free != 0 { return nil }
            start = next(start)
        }
    }

    private func marks(from place: Int) -> UInt64 {
        marks.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: UInt64.self)) }
    }

    private func home(of name: Int64) -> Int { Int(truncatingIfNeeded: name) & (places.count - 1) }

    private func next(_ place: Int) -> Int { (place + 8) & (places.count - 1) }

    // Other bits of the name than those that lead to its home.
    private static func mark(of name: Int64) -> UInt8 { 0x80 | UInt8(truncatingIfNeeded: name >> 57) }

    /// The highest bit of each byte that is 0; none of those before the first such byte. Those behind it may be others.
    private static func zeroes(in word: UInt64) -> UInt64 {
        (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
    }

    /// The first byte of which a bit is set.
    private static func first(of bits: UInt64) -> Int { bits.trailingZeroBitCount / 8 }

    private mutating func grow() {
        let (before, taken) = (places, marks)
        let capacity = max(Self.firstCapacity, 2 * before.count)
        places = Array(repeating: (0, 0), count: capacity)
        marks = Array(repeating: 0, count: capacity + Self.overlap)
        for place in before.indices where taken[place] != 0 { self.place(before[place]) }
    }
}

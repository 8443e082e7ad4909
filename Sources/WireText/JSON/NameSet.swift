/// The names of one JSON object. A look-up takes the same time, however many there are.
struct NameSet {
    // Comparing these few costs less than hashing them.
    private static let few = 8
    /// The most names that a table of bytes can index.
    static let maxCapacity = 255

    private let slots: Int

    /// Positions of members, from 1; 0 is a free slot. Empty while there are few names.
    private var table: [UInt8] = []

    /// - Parameter capacity: the most names.
    init(capacity: Int) { slots = 2 * min(capacity, NameSet.maxCapacity) }

    /// Adds the name of the next member; false if it is there already. Names are compared byte by byte.
    mutating func insert(_ name: String, to members: [JSONValue.Member]) -> Bool {
        guard members.count >= NameSet.few else { return !members.contains { $0.isNamed(name) } }
        if table.isEmpty {
            table = [UInt8](repeating: 0, count: slots)
            for (index, member) in members.enumerated() { table[slot(of: member.name, in: members)] = UInt8(index + 1) }
        }
        let slot = slot(of: name, in: members)
        guard table[slot] == 0 else { return false }
        table[slot] = UInt8(members.count + 1)
        return true
    }

    /// Returns the slot of a name, or the free slot for it.
    private func slot(of name: String, in members: [JSONValue.Member]) -> Int {
        var copy = name
        // Seeded for each process, so that a caller cannot choose names that share a slot.
        var hasher = Hasher()
        copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        var slot = Int(UInt(bitPattern: hasher.finalize()) % UInt(slots))
        while table[slot] != 0, !members[Int(table[slot]) - 1].isNamed(name) { slot = (slot + 1) % slots }
        return slot
    }
}

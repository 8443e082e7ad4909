/// The names of one JSON object: whether one stands there already is found out in the same time however many there are.
struct NameSet {
    // Comparing these few costs less than hashing them.
    private static let few = 8
    /// More names than that have no room in a table of bytes.
    static let maxCapacity = 255

    private let slots: Int

    /// Positions of members, from 1; 0 is a free slot. Empty while there are few.
    private var table: [UInt8] = []

    /// - Parameter capacity: how many names there is room for.
    init(capacity: Int) { slots = 2 * min(capacity, NameSet.maxCapacity) }

    /// Takes the name of the member that comes next; false if it is among them already. Names are compared byte by byte.
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

    /// Where a name stands, or would.
    private func slot(of name: String, in members: [JSONValue.Member]) -> Int {
        var copy = name
        // Seeded for each process: nobody can choose names that fall into one slot.
        var hasher = Hasher()
        copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        var slot = Int(UInt(bitPattern: hasher.finalize()) % UInt(slots))
        while table[slot] != 0, !members[Int(table[slot]) - 1].isNamed(name) { slot = (slot + 1) % slots }
        return slot
    }
}

/// The names of one JSON object, with which the parser finds a name that occurs twice.
///
/// The time of looking up a name does not grow with the number of names.
struct NameSet {
    // For fewer names than this, comparing a name with each of them takes less time than hashing it.
    private static let few = 8
    /// The most names that a set can have, because the table stores the position of a name in one byte.
    static let maxCapacity = 255

    private let slots: Int

    /// For each slot, the position of the member whose name is there, counted from 1; 0 if the slot is free.
    ///
    /// The table is empty while there are few names.
    private var table: [UInt8] = []

    /// Creates an empty set.
    ///
    /// - Parameter capacity: the most names that will be added; at most `maxCapacity`.
    init(capacity: Int) { slots = 2 * min(capacity, NameSet.maxCapacity) }

    /// Adds the name of the next member, and returns false if a member has this name already.
    ///
    /// Names are compared byte by byte.
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
        // `Hasher` has another seed in each process, so a client cannot choose names that all have the same slot.
        var hasher = Hasher()
        copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        var slot = Int(UInt(bitPattern: hasher.finalize()) % UInt(slots))
        while table[slot] != 0, !members[Int(table[slot]) - 1].isNamed(name) { slot = (slot + 1) % slots }
        return slot
    }
}

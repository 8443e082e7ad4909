/// Values by hashes, of which so many are kept: when a generation is full, what the one before it has and nobody has asked for goes.
struct TwoGenerations<Value> {
    private let capacity: Int
    private var current: [UInt64: Value] = [:]
    private var previous: [UInt64: Value] = [:]

    /// - Parameter capacity: how many a generation has.
    init(capacity: Int) { self.capacity = capacity }

    /// Whether there are none.
    var isEmpty: Bool { current.isEmpty && previous.isEmpty }

    /// That of a hash, which is then as good as new; nil for none.
    mutating func value(of key: UInt64) -> Value? {
        if let value = current[key] { return value }
        guard let value = previous[key] else { return nil }
        insert(value, key)
        return value
    }

    /// Takes one in.
    mutating func insert(_ value: Value, _ key: UInt64) {
        if current.count >= capacity { (current, previous) = ([:], current) }
        current[key] = value
    }
}

/// A bounded number of values, which are looked up by their hashes.
///
/// There are two generations. When the current one is full, it becomes the previous one, and the former previous one is dropped.
/// With it go all values that were not looked up in the meantime.
struct TwoGenerations<Value> {
    private let capacity: Int
    private var current: [UInt64: Value] = [:]
    private var previous: [UInt64: Value] = [:]

    /// - Parameter capacity: the maximum number of values in a generation.
    init(capacity: Int) { self.capacity = capacity }

    var isEmpty: Bool { current.isEmpty && previous.isEmpty }

    /// The value of a hash; nil if there is none.
    ///
    /// A value that is found moves to the current generation.
    mutating func value(of key: UInt64) -> Value? {
        if let value = current[key] { return value }
        guard let value = previous[key] else { return nil }
        insert(value, key)
        return value
    }

    mutating func insert(_ value: Value, _ key: UInt64) {
        if current.count >= capacity { (current, previous) = ([:], current) }
        current[key] = value
    }
}

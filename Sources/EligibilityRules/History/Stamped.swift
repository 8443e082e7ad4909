/// A value that may change, with the stamp of the statement that it comes from.
public struct Stamped<Value: Hashable & Comparable & Sendable>: Hashable, Sendable {
    /// The value as last stated.
    public let value: Value
    /// The stamp of the statement.
    public let stamp: Stamp

    /// Takes the values as they are.
    public init(_ value: Value, _ stamp: Stamp) {
        self.value = value
        self.stamp = stamp
    }

    /// Returns the later statement. Between equal stamps the greater value counts, so that the order of arrival does not matter.
    public func merged(with other: Stamped) -> Stamped {
        stamp != other.stamp ? (stamp < other.stamp ? other : self) : (value < other.value ? other : self)
    }
}

extension Optional {
    /// Returns the later of two statements, or the only one.
    func merged<Value>(with other: Stamped<Value>?) -> Stamped<Value>? where Wrapped == Stamped<Value> {
        guard let self else { return other }
        return other.map(self.merged) ?? self
    }

    /// Returns the greater of two values that should be equal, or the only one. It never depends on order.
    func greater(_ other: Wrapped?) -> Wrapped? where Wrapped: Comparable {
        guard let self else { return other }
        return other.map { Swift.max(self, $0) } ?? self
    }
}

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

/// The time and the source of a statement. It orders facts that change over time.
public struct Stamp: Hashable, Comparable, Sendable {
    /// The App Store's own time of the statement: `signedDate`, or the latest date that an unsigned document shows.
    public let asOf: Instant
    /// Decides between statements of the same instant.
    public let source: Source

    /// Takes the values as they are.
    public init(asOf: Instant, source: Source) {
        self.asOf = asOf
        self.source = source
    }

    /// Orders earlier statements first, and at the same instant less trusted ones.
    public static func < (left: Stamp, right: Stamp) -> Bool {
        left.asOf != right.asOf ? left.asOf < right.asOf : left.source < right.source
    }
}

/// The source of a fact about a purchase. At the same instant, the later case is believed.
public enum Source: UInt8, Sendable, CaseIterable, Comparable {
    /// An unsigned notification (V1).
    case notificationV1 = 0
    /// A verifyReceipt response.
    case receipt = 1
    /// Data signed by the App Store: a notification V2, a StoreKit 2 transaction, the Server API.
    case signedData = 2

    /// Orders less trusted sources first.
    public static func < (left: Source, right: Source) -> Bool { left.rawValue < right.rawValue }
}

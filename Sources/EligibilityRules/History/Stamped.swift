/// A value that may change, with time and source of the statement from which it comes.
public struct Stamped<Value: Hashable & Comparable & Sendable>: Hashable, Sendable {
    /// The value as last stated.
    public let value: Value
    /// The time and source of the statement.
    public let stamp: Stamp

    /// Stores the given values without checking them.
    public init(_ value: Value, _ stamp: Stamp) {
        self.value = value
        self.stamp = stamp
    }

    /// Returns the later of two statements.
    ///
    /// If their stamps are equal, the one with the greater value counts, so that the order of arrival does not matter.
    public func merged(with other: Stamped) -> Stamped {
        stamp != other.stamp ? (stamp < other.stamp ? other : self) : (value < other.value ? other : self)
    }
}

extension Optional {
    /// Returns the later of two statements, or the only one that there is.
    func merged<Value>(with other: Stamped<Value>?) -> Stamped<Value>? where Wrapped == Stamped<Value> {
        guard let self else { return other }
        return other.map(self.merged) ?? self
    }

    /// Returns the greater of two values that should be equal, or the only one that there is.
    ///
    /// The result does not depend on their order.
    func greater(_ other: Wrapped?) -> Wrapped? where Wrapped: Comparable {
        guard let self else { return other }
        return other.map { Swift.max(self, $0) } ?? self
    }
}

/// The time and the source of a statement, by which statements about the same value are ordered.
public struct Stamp: Hashable, Comparable, Sendable {
    /// The App Store's own time of the statement: `signedDate`, or the latest date that an unsigned document shows.
    public let asOf: Instant
    /// The source, which decides between statements of the same instant.
    public let source: Source

    /// Stores the given values without checking them.
    public init(asOf: Instant, source: Source) {
        self.asOf = asOf
        self.source = source
    }

    /// Orders earlier statements first, and at the same instant less trusted ones.
    public static func < (left: Stamp, right: Stamp) -> Bool {
        left.asOf != right.asOf ? left.asOf < right.asOf : left.source < right.source
    }
}

/// The source of a statement about a purchase.
///
/// Of two statements of the same instant, that of the later case is believed.
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

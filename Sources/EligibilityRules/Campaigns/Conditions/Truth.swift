/// Whether a condition holds, by Kleene's strong three-valued logic.
///
/// The truth of an `all` is the least truth among its parts, and that of an `any` is the greatest. A `not` exchanges `yes` and
/// `no` and leaves `unknown` as it is. A test of a missing value therefore holds neither as written nor negated.
public enum Truth: UInt8, Sendable, Comparable, CaseIterable {
    /// The condition does not hold, whatever the missing values are.
    case no = 0
    /// Whether the condition holds depends on a value that is missing.
    case unknown = 1
    /// The condition holds, whatever the missing values are.
    case yes = 2

    init(_ value: Bool) { self = value ? .yes : .no }

    init(_ value: Bool?) { self = value.map(Truth.init) ?? .unknown }

    /// The truth of the negation.
    public var denied: Truth { Truth(rawValue: 2 - rawValue)! }

    /// Orders `no` before `unknown` before `yes`.
    public static func < (left: Truth, right: Truth) -> Bool { left.rawValue < right.rawValue }
}

/// Whether a condition holds, by Kleene's strong three-valued logic.
///
/// `all` is the least of its parts and `any` the greatest. `not` reverses the order, so that `unknown` stays in the middle.
/// A condition that rests on a missing value alone holds neither as written nor negated.
public enum Truth: UInt8, Sendable, Comparable, CaseIterable {
    /// It does not hold, whatever the missing values are.
    case no = 0
    /// It depends on a value that is missing.
    case unknown = 1
    /// It holds, whatever the missing values are.
    case yes = 2

    init(_ value: Bool) { self = value ? .yes : .no }

    init(_ value: Bool?) { self = value.map(Truth.init) ?? .unknown }

    /// The truth of the negation.
    public var denied: Truth { Truth(rawValue: 2 - rawValue)! }

    /// Orders `no` before `unknown` before `yes`.
    public static func < (left: Truth, right: Truth) -> Bool { left.rawValue < right.rawValue }
}

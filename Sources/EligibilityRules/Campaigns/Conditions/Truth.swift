/// Whether a condition holds, by Kleene's strong three-valued logic.
///
/// `all` is the least of its parts, `any` the greatest, `not` turns the order round: nobody can tell is in the middle and stays
/// there. So what rests on a missing value alone holds neither as it is nor denied.
public enum Truth: UInt8, Sendable, Comparable, CaseIterable {
    /// It does not hold, whatever the missing values are.
    case no = 0
    /// It depends on a value that is missing.
    case unknown = 1
    /// It holds, whatever the missing values are.
    case yes = 2

    init(_ value: Bool) { self = value ? .yes : .no }

    init(_ value: Bool?) { self = value.map(Truth.init) ?? .unknown }

    /// Whether it denied holds.
    public var denied: Truth { Truth(rawValue: 2 - rawValue)! }

    /// By how much holds.
    public static func < (left: Truth, right: Truth) -> Bool { left.rawValue < right.rawValue }
}

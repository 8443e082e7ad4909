/// How it is known whose a subscription is: a stronger proof takes it from whoever has it by a weaker one.
///
/// Between equal ones the purchase's `appAccountToken` decides, where it names one of the two (`ChainOwnership`).
public enum BindingProof: Int64, CaseIterable, Comparable, Sendable {
    /// A client that brought a transaction of it said so: whoever gets hold of one can.
    case claimed = 1
    /// A backend said so.
    case vouched = 2
    /// A backend decided so, whatever was known.
    case transferred = 3

    /// The stronger one is the greater one.
    public static func < (left: BindingProof, right: BindingProof) -> Bool { left.rawValue < right.rawValue }
}

/// The proof that a subscription belongs to a customer. A stronger proof takes it from the holder of a weaker one.
///
/// Between equal proofs the purchase's `appAccountToken` decides, if it names one of the two customers (`ChainOwnership`).
public enum BindingProof: Int64, CaseIterable, Comparable, Sendable {
    /// A client that presented one of its transactions said so. Any client that obtains a transaction can.
    case claimed = 1
    /// A backend said so.
    case vouched = 2
    /// A backend decided so, regardless of earlier proofs.
    case transferred = 3

    /// The stronger one is the greater one.
    public static func < (left: BindingProof, right: BindingProof) -> Bool { left.rawValue < right.rawValue }
}

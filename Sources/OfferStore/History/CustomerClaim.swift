/// A claim that purchases belong to a customer, with its proof.
public struct CustomerClaim: Equatable, Sendable {
    /// The app's own id of the customer, or an alias of it.
    public let customerID: String
    /// The proof of the claim.
    public let proof: BindingProof

    /// Takes the values as they are.
    public init(_ customerID: String, _ proof: BindingProof) {
        self.customerID = customerID
        self.proof = proof
    }

    /// - Parameter customerID: returns nil if this is nil.
    public init?(_ customerID: String?, _ proof: BindingProof) {
        guard let customerID else { return nil }
        self.init(customerID, proof)
    }
}

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

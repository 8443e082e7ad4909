/// A claim that purchases belong to a customer, with its proof.
public struct CustomerClaim: Equatable, Sendable {
    /// The app's own id of the customer, or an alias of it.
    public let customerID: String
    /// The proof of the claim.
    public let proof: BindingProof

    /// Stores the given values without checking them.
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

/// The proof that a subscription belongs to a customer.
///
/// A customer with a stronger proof takes the subscription from the holder of a weaker one. Between equal proofs the purchase's
/// `appAccountToken` decides, if it names one of the two customers (`ChainOwnership`).
public enum BindingProof: Int64, CaseIterable, Comparable, Sendable {
    /// A client has claimed the subscription and presented one of its transactions.
    ///
    /// Any client that obtains a transaction can do that.
    case claimed = 1
    /// A backend has said that the subscription belongs to the customer.
    case vouched = 2
    /// A backend has transferred the subscription to the customer, from any owner with a weaker proof.
    case transferred = 3

    /// The stronger proof is the greater one.
    public static func < (left: BindingProof, right: BindingProof) -> Bool { left.rawValue < right.rawValue }
}

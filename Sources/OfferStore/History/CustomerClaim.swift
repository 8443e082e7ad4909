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

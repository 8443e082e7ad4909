/// Whose purchases somebody says they are, and who says so.
public struct CustomerClaim: Equatable, Sendable {
    /// The app's own id of the customer, or an alias of it.
    public let customerID: String
    /// What it goes by.
    public let proof: BindingProof

    /// Takes the values as they are.
    public init(_ customerID: String, _ proof: BindingProof) {
        self.customerID = customerID
        self.proof = proof
    }

    /// - Parameter customerID: nil makes it nil.
    public init?(_ customerID: String?, _ proof: BindingProof) {
        guard let customerID else { return nil }
        self.init(customerID, proof)
    }
}

/// A purchase chain of a customer's Apple account, whoever of the app's customers it is bound to.
public struct AccountChain: Hashable, Sendable {
    /// Whose it is, seen from the customer.
    public enum Owner: String, Sendable {
        case same, another, nobody
    }

    /// The chain.
    public let chain: PurchaseChain
    /// Whose it is.
    public let owner: Owner

    /// Takes the values as they are.
    public init(_ chain: PurchaseChain, owner: Owner) {
        self.chain = chain
        self.owner = owner
    }
}

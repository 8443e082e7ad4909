/// A purchase chain of a customer's Apple account, whichever customer of the app it is bound to.
public struct AccountChain: Hashable, Sendable {
    /// The owner, as seen from the customer.
    public enum Owner: String, Sendable {
        case same, another, nobody
    }

    /// The chain.
    public let chain: PurchaseChain
    /// The owner.
    public let owner: Owner

    /// Takes the values as they are.
    public init(_ chain: PurchaseChain, owner: Owner) {
        self.chain = chain
        self.owner = owner
    }
}

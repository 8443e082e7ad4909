/// A purchase chain that was bought with a customer's Apple account, with the customer of the app to whom it belongs.
public struct AccountChain: Hashable, Sendable {
    /// To whom the chain belongs: to the same customer of the app, to another one, or to none.
    public enum Owner: String, Sendable {
        case same, another, nobody
    }

    /// The chain.
    public let chain: PurchaseChain
    /// To whom the chain belongs.
    public let owner: Owner

    /// Stores the given values without checking them.
    public init(_ chain: PurchaseChain, owner: Owner) {
        self.chain = chain
        self.owner = owner
    }
}

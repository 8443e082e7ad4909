/// What leads from a customer to purchases, and from purchases to a customer.
public struct CustomerLinks: Sendable {
    /// Other ids under which the app knew the customer.
    public var aliases: [String] = []
    /// User names that were signed for the customer and redeemed.
    public var applicationUsernames: [String] = []
    /// UUIDs that the app gave its purchases, in order.
    public let accountTokens: [String]
    /// The Apple accounts of the purchases, by `appTransactionId`, in order.
    public let appleAccounts: [String]
    /// The subscriptions and other purchases that are the customer's, those of other environments included.
    public let chains: [PurchaseChain]

    init(_ chains: [PurchaseChain]) {
        accountTokens = TextOrder.distinct(chains.compactMap(\.accountToken))
        appleAccounts = TextOrder.distinct(chains.compactMap(\.appTransactionID))
        self.chains = chains
    }
}

/// The ids that link a customer and purchases.
public struct CustomerLinks: Sendable {
    /// Other ids under which the app knew the customer.
    public var aliases: [String] = []
    /// User names that were signed for the customer and redeemed.
    public var applicationUsernames: [String] = []
    /// The UUIDs that the app assigned to the purchases, in order.
    public let accountTokens: [String]
    /// The Apple accounts of the purchases, by `appTransactionId`, in order.
    public let appleAccounts: [String]
    /// The customer's subscriptions and other purchases, including those of other environments.
    public let chains: [PurchaseChain]

    init(_ chains: [PurchaseChain]) {
        accountTokens = TextOrder.distinct(chains.compactMap(\.accountToken))
        appleAccounts = TextOrder.distinct(chains.compactMap(\.appTransactionID))
        self.chains = chains
    }
}

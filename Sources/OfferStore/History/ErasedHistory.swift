package import EligibilityRules

/// What was done to the purchases of a customer who was erased.
public struct ErasedHistory: Equatable, Sendable {
    /// What named the customer: ids of theirs, of their transactions and Apple accounts, account tokens.
    public var ids: Set<String> = []
    /// How many subscriptions and other purchases are nobody's now.
    public var chains = 0
    /// How many raw notifications have lost their content.
    public var notifications = 0
    /// Whether anything was known of the customer.
    public var wasKnown = false

    /// Nothing was.
    public init() {}

    /// The ids that one chain names a customer by.
    package static func ids(of chain: PurchaseChain) -> Set<String> {
        Set(
            [chain.originalID] + chain.transactions.map(\.id) + [chain.accountToken, chain.appTransactionID].compactMap(\.self))
    }
}

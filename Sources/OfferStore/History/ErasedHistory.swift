package import EligibilityRules

/// The result of erasing a customer's purchases.
public struct ErasedHistory: Equatable, Sendable {
    /// Ids that identified the customer: their own, those of transactions and Apple accounts, account tokens.
    public var ids: Set<String> = []
    /// Number of subscriptions and other purchases that no longer have an owner.
    public var chains = 0
    /// Number of notifications whose content was deleted.
    public var notifications = 0
    /// Whether anything was stored about the customer.
    public var wasKnown = false

    /// Creates an empty result.
    public init() {}

    /// The ids in a chain that identify a customer.
    package static func ids(of chain: PurchaseChain) -> Set<String> {
        Set(
            [chain.originalID] + chain.statements.map(\.id) + [chain.accountToken, chain.appTransactionID].compactMap(\.self))
    }
}

public import EligibilityRules

/// Whether a customer lets the App Store have consumption information, as the app's backend last stated.
public struct ConsumptionConsent: Equatable, Sendable {
    /// Whether the customer agrees.
    public let isGiven: Bool
    /// When the backend stated it.
    public let statedAt: Instant

    /// Stores the given values without checking them.
    public init(isGiven: Bool, statedAt: Instant) {
        self.isGiven = isGiven
        self.statedAt = statedAt
    }

    /// Returns the latest of several consents; if two have the same instant, the withdrawal.
    package static func latest(of consents: [ConsumptionConsent]) -> ConsumptionConsent? {
        consents.max { $0.statedAt != $1.statedAt ? $0.statedAt < $1.statedAt : $0.isGiven && !$1.isGiven }
    }
}

/// The result of a request to bind a subscription to a customer, or to release it.
public enum BindingOutcome: Equatable, Sendable {
    case bound
    /// The subscription was bound to the customer already, or it had no owner to release.
    case unchanged
    /// The subscription stays with the other customer; nothing was written.
    case boundToAnotherCustomer
    /// The subscription moved from another customer.
    case transferred(from: String)
    /// The subscription has no owner any more.
    case unbound
}

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

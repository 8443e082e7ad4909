/// What tells one buyer from another, whatever they call themselves in the app.
public enum PurchaseAccount: Hashable, Sendable {
    /// Apple's `appTransactionId`.
    case apple(String)
    /// Apple's `originalTransactionId`, which is always known.
    case subscription(String)
}

extension Customer {
    /// What tells of the customer's own subscriptions, and of others of the same Apple accounts, who bought them, one after the
    /// other: the subscription, and the Apple account where it is known.
    public var accounts: [(subscription: PurchaseAccount, apple: PurchaseAccount?)] {
        (accountSubscriptions.isEmpty ? ownSubscriptions : ownSubscriptions + accountSubscriptions).map { chain in
            (.subscription(chain.originalID), chain.appTransactionID.map(PurchaseAccount.apple))
        }
    }

    /// The subscription in a group that the customer bought.
    public func ownSubscription(inGroup groupID: String) -> SubscriptionStatus {
        status(of: Customer.part(of: ownSubscriptions) { isInGroup($0, groupID) })
    }
}

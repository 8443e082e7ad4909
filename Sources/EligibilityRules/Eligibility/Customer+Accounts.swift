extension Customer {
    /// Tells of what tells the buyer from others, whatever they call themselves in the app: of the customer's own subscriptions, and of
    /// others of the same Apple accounts, one after the other.
    ///
    /// - Parameter body: is given Apple's `originalTransactionId`, and the `appTransactionId` of the Apple account where it is known.
    public func forEachAccount(_ body: (_ subscription: String, _ account: String?) -> Void) {
        for chain in ownSubscriptions { body(chain.originalID, chain.appTransactionID) }
        for chain in accountSubscriptions { body(chain.originalID, chain.appTransactionID) }
    }

    /// The subscription in a group that the customer bought.
    public func ownSubscription(inGroup groupID: String) -> SubscriptionStatus {
        status(of: Customer.part(of: ownSubscriptions) { isInGroup($0, groupID) })
    }

    /// The subscription in a product's group that the customer bought, if it is current.
    public func runningSubscription(inGroupOf product: SubscriptionProduct) -> SubscriptionStatus? {
        // If none is current, whatever its group, this one is not.
        guard isSubscriber else { return nil }
        let status = ownSubscription(inGroup: groupID(of: product))
        return status.state.isCurrent ? status : nil
    }
}

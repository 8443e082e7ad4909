extension Customer {
    /// Calls `body` with the Apple ids of the buyer, whatever id the customer has in the app.
    /// It passes the customer's own subscriptions, then those of other customers with the same Apple accounts.
    ///
    /// - Parameter body: receives Apple's `originalTransactionId`, and the `appTransactionId` of the Apple account where known.
    public func forEachAccount(_ body: (_ subscription: String, _ account: String?) -> Void) {
        for chain in ownSubscriptions { body(chain.originalID, chain.appTransactionID) }
        for chain in accountSubscriptions { body(chain.originalID, chain.appTransactionID) }
    }

    /// Returns the subscription in a group that the customer bought.
    public func ownSubscription(inGroup groupID: String) -> SubscriptionStatus {
        status(of: Customer.part(of: ownSubscriptions) { isInGroup($0, groupID) })
    }

    /// Returns the subscription in a product's group that the customer bought, if it is current.
    public func runningSubscription(inGroupOf product: SubscriptionProduct) -> SubscriptionStatus? {
        // If no subscription of any group is current, this one is not.
        guard isSubscriber else { return nil }
        let status = ownSubscription(inGroup: groupID(of: product))
        return status.state.isCurrent ? status : nil
    }
}

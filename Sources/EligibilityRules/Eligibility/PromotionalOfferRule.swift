/// The rule for promotional offers: for customers who have, or had, a subscription in the app that they bought themselves.
public enum PromotionalOfferRule {
    /// Whether the customer may have a promotional offer of a product.
    public static func verdict(on offerID: String, of product: SubscriptionProduct, for customer: Customer) -> Verdict {
        guard product.promotionalOffers[ExactText(offerID)] != nil else { return Verdict(.noOffer, .noPromotionalOffer) }
        return verdict(for: customer)
    }

    /// Returns the verdict on every promotional offer of the app.
    ///
    /// Apple's rule is the same for all of them.
    public static func verdict(for customer: Customer) -> Verdict {
        let status = customer.ownStatus
        if let transaction = status.transaction {
            return Verdict(.eligible, reason(status.state), transactionID: transaction.id)
                .adding(status.isRenewalUnconfirmed ? .renewalUnconfirmed : nil)
        }
        if let ahead = customer.ownSubscriptions.first {
            // The subscription has been bought, but by our clock its first period has not begun.
            return Verdict(.eligible, .activeSubscriber, transactionID: ahead.transactions.first?.id)
        }
        if let doubt = customer.doubtful.lazy.compactMap(\.doubtfulOwnSubscription).first {
            return Verdict(.unknown, .unrecognisedValue, transactionID: doubt.id)
        }
        if let others = customer.subscriptions.last, let last = others.transactions.last {
            return Verdict(
                .ineligible, last.ownership == .assigned ? .assignedSeatOnly : .familySharedOnly, transactionID: last.id)
        }
        return customer.missingHistory.map { Verdict(.unknown, $0) } ?? Verdict(.ineligible, .neverSubscribed)
    }

    private static func reason(_ state: SubscriptionState) -> Reason {
        switch state {
        case .active: .activeSubscriber
        case .gracePeriod: .subscriberInGracePeriod
        case .billingRetry: .subscriberInBillingRetry
        case .revoked: .revokedSubscriber
        case .expired, .never: .lapsedSubscriber
        }
    }
}

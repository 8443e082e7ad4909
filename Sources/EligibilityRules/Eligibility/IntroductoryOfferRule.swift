/// Introductory offers: once per customer and subscription group, and not for current subscribers.
public enum IntroductoryOfferRule {
    /// Whether the customer may have the introductory offer of a product.
    public static func verdict(on product: SubscriptionProduct, for customer: Customer) -> Verdict {
        guard product.introductoryOffer != nil else { return Verdict(.noOffer, .noIntroductoryOffer) }
        let own = customer.policy.familySharedCountsAsOwn ? customer.subscriptions : customer.ownSubscriptions
        let note: Reason? = own.count < customer.subscriptions.count ? .familySharedNotCounted : nil
        return verdict(inGroup: product.groupID, own: own, customer).adding(note)
    }

    private static func verdict(inGroup groupID: String, own: [PurchaseChain], _ customer: Customer) -> Verdict {
        if own.isEmpty {
            let isUnknown = customer.policy.requiresHistory && !customer.isHistorySupplied
            return isUnknown ? Verdict(.unknown, .noHistory) : Verdict(.eligible, .newCustomer)
        }
        let inGroup = Customer.part(of: own) { customer.isInGroup($0, groupID) }
        let status = customer.status(of: inGroup)
        if let used = firstIntroductoryPeriod(inGroup) {
            return Verdict(.ineligible, .introductoryOfferUsed, transactionID: used.transaction.id)
                .adding(status.state.isCurrent ? .currentSubscriber : nil)
                .adding(used.chain.environment == .sandbox ? .sandboxHistory : nil)
        }
        if status.state.isCurrent {
            return Verdict(.ineligible, .currentSubscriber, transactionID: status.transaction?.id)
        }
        if status.state == .never, let ahead = inGroup.first {
            // Its first period begins after now, by our clock; it is bought all the same.
            return Verdict(.ineligible, .currentSubscriber, transactionID: ahead.transactions.first?.id)
        }
        if let stray = own.first(where: { customer.group(of: $0) == nil }) {
            return Verdict(.unknown, .unknownProduct, transactionID: stray.transactions.first?.id)
        }
        if let cut = inGroup.first(where: { !$0.showsFirstPeriod }) {
            return Verdict(.unknown, .incompleteHistory, transactionID: cut.transactions.first?.id)
        }
        guard !inGroup.isEmpty else { return Verdict(.eligible, .newToSubscriptionGroup) }
        return Verdict(.eligible, .lapsedWithoutIntroductoryOffer, transactionID: status.transaction?.id)
            .adding(status.isRenewalUnconfirmed ? .renewalUnconfirmed : nil)
    }

    private static func firstIntroductoryPeriod(
        _ chains: [PurchaseChain]
    ) -> (chain: PurchaseChain, transaction: PurchaseTransaction)? {
        var first: (chain: PurchaseChain, transaction: PurchaseTransaction)?
        for chain in chains {
            guard let found = chain.transactions.first(where: { $0.offer?.kind == .introductory }) else { continue }
            if let best = first?.transaction, (best.purchasedAt, best.id) <= (found.purchasedAt, found.id) { continue }
            first = (chain, found)
        }
        return first
    }
}

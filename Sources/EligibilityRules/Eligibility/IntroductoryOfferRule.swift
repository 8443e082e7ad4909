/// The rule for introductory offers: once for each customer and subscription group, and not for current subscribers.
public enum IntroductoryOfferRule {
    /// Whether the customer may have the introductory offer of a product.
    public static func verdict(on product: SubscriptionProduct, for customer: Customer) -> Verdict {
        guard product.introductoryOffer != nil else { return Verdict(.noOffer, .noIntroductoryOffer) }
        let groupID = customer.groupID(of: product)
        let own = counted(customer)
        var verdict = verdict(inGroup: groupID, own: own, customer)
        if customer.hasOthers, own.count < customer.subscriptions.count {
            let left = customer.subscriptions.filter { $0.part { isCounted($0, customer.policy) } == nil }
            if left.contains(where: { $0.transactions.contains(where: \.isFamilyShared) }) {
                verdict = verdict.adding(.familySharedNotCounted)
            }
            if left.contains(where: { $0.transactions.contains { $0.ownership == .assigned } }) {
                verdict = verdict.adding(.assignedSeatNotCounted)
            }
        }
        return ExactText(groupID) == ExactText(product.groupID) ? verdict : verdict.adding(.catalogueGroupDiffers)
    }

    /// Whether a campaign may give the customer the introductory offer of a product once more.
    ///
    /// The customer has used one of the group, and the subscription has certainly ended. The Apple account has neither used one in a
    /// purchase of another customer of the app nor a subscription there that may be running; a person with two accounts could
    /// otherwise have it twice.
    static func mayHaveAgain(_ product: SubscriptionProduct, _ customer: Customer) -> Bool {
        let groupID = customer.groupID(of: product)
        let own = counted(customer)
        let inGroup = Customer.part(of: own) { customer.isInGroup($0, groupID) }
        return firstIntroductoryPeriod(inGroup) != nil
            && doubt(inGroup: groupID, own: own, customer) == nil
            && verdictOnAccount(inGroup: groupID, customer) == nil
            && (customer.chains(inGroup: groupID) + customer.accountSubscriptions.filter { customer.mayBeInGroup($0, groupID) })
                .allSatisfy { hasCertainlyEnded($0, customer) }
    }

    /// Whether no period of a subscription runs, may run unknown to us, or has been bought for the future.
    private static func hasCertainlyEnded(_ chain: PurchaseChain, _ customer: Customer) -> Bool {
        let status = SubscriptionStatus(of: [chain], at: customer.now)
        return (status.state == .expired || status.state == .revoked) && !status.isRenewalUnconfirmed
            && !chain.transactions.contains { $0.purchasedAt > customer.now }
    }

    /// The subscriptions whose introductory offers count as the customer's.
    private static func counted(_ customer: Customer) -> [PurchaseChain] {
        guard customer.hasOthers, customer.policy.familySharedCountsAsOwn else { return customer.ownSubscriptions }
        return customer.subscriptions.compactMap { $0.part { isCounted($0, customer.policy) } }.filter(\.isSubscription)
    }

    private static func isCounted(_ transaction: PurchaseTransaction, _ policy: EligibilityPolicy) -> Bool {
        transaction.isOwn || (policy.familySharedCountsAsOwn && transaction.isFamilyShared)
    }

    private static func verdict(inGroup groupID: String, own: [PurchaseChain], _ customer: Customer) -> Verdict {
        let inGroup = Customer.part(of: own) { customer.isInGroup($0, groupID) }
        let status = customer.status(of: inGroup)
        if let used = firstIntroductoryPeriod(inGroup) {
            return Verdict(.ineligible, .introductoryOfferUsed, transactionID: used.transaction.id)
                .adding(status.state.isCurrent ? .currentSubscriber : nil)
                .adding(used.chain.environment == .sandbox ? .sandboxHistory : nil)
        }
        if !customer.accountSubscriptions.isEmpty, let used = verdictOnAccount(inGroup: groupID, customer) { return used }
        if status.state.isCurrent {
            return Verdict(.ineligible, .currentSubscriber, transactionID: status.transaction?.id)
        }
        if status.state == .never, let ahead = inGroup.first {
            // The subscription has been bought, but by our clock its first period has not begun.
            return Verdict(.ineligible, .currentSubscriber, transactionID: ahead.transactions.first?.id)
        }
        if let doubt = doubt(inGroup: groupID, own: own, customer) ?? doubt(about: inGroup, status, customer) { return doubt }
        if own.isEmpty { return Verdict(.eligible, .newCustomer) }
        guard !inGroup.isEmpty else { return Verdict(.eligible, .newToSubscriptionGroup) }
        return Verdict(.eligible, .lapsedWithoutIntroductoryOffer, transactionID: status.transaction?.id)
    }

    /// Returns a refusal because of purchases by other customers of the app with the same Apple account; nil if there is none.
    ///
    /// The App Store decides by the Apple account, whatever customer of the app a purchase belongs to.
    private static func verdictOnAccount(inGroup groupID: String, _ customer: Customer) -> Verdict? {
        let chains = customer.accountSubscriptions.filter { customer.isInGroup($0, groupID) }
        if let used = firstIntroductoryPeriod(chains) {
            return Verdict(.ineligible, .appleAccountUsedIntroductoryOffer, transactionID: used.transaction.id)
        }
        let status = SubscriptionStatus(of: chains, at: customer.now)
        return status.state.isCurrent ? Verdict(.ineligible, .currentSubscriber, transactionID: status.transaction?.id) : nil
    }

    /// Returns the verdict `unknown` if a value is not recognised or the group of a product is not known; otherwise nil.
    private static func doubt(inGroup groupID: String, own: [PurchaseChain], _ customer: Customer) -> Verdict? {
        for chain in customer.doubtful where customer.mayBeInGroup(chain, groupID) {
            guard let transaction = chain.doubtfulOwnSubscription ?? chain.doubtfulOffer else { continue }
            return Verdict(.unknown, .unrecognisedValue, transactionID: transaction.id)
        }
        if let stray = own.first(where: { customer.group(of: $0) == nil }) {
            return Verdict(.unknown, .unknownProduct, transactionID: stray.transactions.first?.id)
        }
        return nil
    }

    /// Returns the verdict `unknown` if the first period, a renewal or other purchases may be missing; otherwise nil.
    private static func doubt(
        about inGroup: [PurchaseChain],
        _ status: SubscriptionStatus,
        _ customer: Customer
    ) -> Verdict? {
        if let cut = inGroup.first(where: { !$0.showsFirstPeriod }) {
            return Verdict(.unknown, .incompleteHistory, transactionID: cut.transactions.first?.id)
        }
        if status.isRenewalUnconfirmed {
            return Verdict(.unknown, .renewalUnconfirmed, transactionID: status.transaction?.id)
        }
        return customer.missingHistory.map { Verdict(.unknown, $0) }
    }

    /// Returns the first period with an introductory offer; nil if there is none.
    ///
    /// A refunded or revoked period counts, too.
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

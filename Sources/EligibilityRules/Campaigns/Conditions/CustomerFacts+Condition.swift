/// The values that conditions test; nil for a value that is unknown or does not exist.
///
/// If the customer has bought nothing in a group, the state is `never` and counts are 0. If the group of any subscription is
/// unknown, both are unknown instead, because that subscription may belong to the group.
/// While a renewal is unconfirmed the state is unknown, because the subscription may be running.
extension CustomerFacts {
    func text(_ reference: FactReference) -> String? {
        switch reference.fact {
        case .environment: return environment.name
        case .subscriptionState:
            guard let index = index(of: reference.group) else {
                return hasUnknownGroup ? nil : SubscriptionState.never.rawValue
            }
            return subscriptions[index].status.isRenewalUnconfirmed ? nil : subscriptions[index].status.state.rawValue
        case .subscriptionProductID: return transaction(reference.group)?.productID
        case .subscriptionBillingPlan: return index(of: reference.group).flatMap { subscriptions[$0].billingPlan?.rawValue }
        case .subscriptionStorefront: return transaction(reference.group)?.sale?.storefront
        default: return nil
        }
    }

    func number(_ reference: FactReference) -> Double? {
        switch reference.fact {
        case .offersRedeemedCount: return Double(redemptions.count)
        case .offersDaysSinceLast: return daysSinceLastRedemption.map(Double.init)
        case .refundsCount: return Double(refunds.count)
        case .customerDaysSinceFirstPurchase: return daysSinceFirstPurchase.map(Double.init)
        default: break
        }
        guard let index = index(of: reference.group) else {
            let isCount = reference.fact == .subscriptionDaysSubscribed || reference.fact == .subscriptionPaidPeriods
            return isCount && !hasUnknownGroup ? 0 : nil
        }
        switch reference.fact {
        case .subscriptionDaysSinceLapse: return subscriptions[index].daysSinceLapse.map(Double.init)
        case .subscriptionDaysUntilRenewal: return subscriptions[index].daysUntilRenewal.map(Double.init)
        case .subscriptionDaysSubscribed: return Double(subscriptions[index].daysSubscribed)
        case .subscriptionPaidPeriods: return Double(subscriptions[index].paidPeriods)
        case .subscriptionExpirationIntent: return subscriptions[index].renewal?.expirationIntent.map(Double.init)
        case .subscriptionPrice: return subscriptions[index].paid?.thousandths.map(Double.init)
        default: return nil
        }
    }

    func boolean(_ reference: FactReference) -> Bool? {
        switch reference.fact {
        case .subscriptionWillRenew: return index(of: reference.group).flatMap { subscriptions[$0].status.willRenew }
        case .introductoryUsed:
            guard reference.group != nil else { return introductoryOfferUsed }
            let used = index(of: reference.group).map { subscriptions[$0].introductoryOfferUsed } ?? false
            // A subscription whose group is unknown may belong to this group.
            return used == false && hasUnknownGroup ? nil : used
        default: return nil
        }
    }

    /// Whether the fact's list contains a text; nil if the fact is not a list.
    func contains(_ text: ExactText, _ reference: FactReference) -> Bool? {
        guard reference.fact == .offersRedeemed else { return nil }
        for redemption in redemptions { if let id = redemption.offer.id, ExactText(id) == text { return true } }
        return false
    }

    /// The value of a fact of any kind.
    func value(_ reference: FactReference) -> ConditionValue? {
        switch reference.fact.kind {
        case .text: text(reference).map(ConditionValue.text)
        case .number: number(reference).map(ConditionValue.number)
        case .boolean: boolean(reference).map(ConditionValue.boolean)
        case .texts: .list(redemptions.compactMap { $0.offer.id.map(ConditionValue.text) })
        }
    }

    // Subscriptions of an unknown group come last.
    private var hasUnknownGroup: Bool {
        guard let last = subscriptions.indices.last else { return false }
        return subscriptions[last].groupID == nil
    }

    private func index(of group: ExactText?) -> Int? {
        guard let group else { return nil }
        for index in subscriptions.indices {
            if let id = subscriptions[index].groupID, ExactText(id) == group { return index }
        }
        return nil
    }

    private func transaction(_ group: ExactText?) -> PurchaseTransaction? {
        index(of: group).flatMap { subscriptions[$0].status.transaction }
    }
}

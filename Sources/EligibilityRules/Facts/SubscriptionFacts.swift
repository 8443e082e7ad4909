/// What is known of a customer's subscription in one group at an instant.
public struct SubscriptionFacts: Sendable {
    /// The id of the group; nil for subscriptions whose group neither the App Store nor the catalogue names.
    public let groupID: String?
    /// The status, including shared (Family Sharing) and assigned subscriptions.
    public let status: SubscriptionStatus
    /// The latest renewal information about the deciding period; nil if there is none.
    public let renewal: RenewalState?
    /// When the current state began; nil if there never was a subscription.
    public let since: Instant?
    /// When the current state ends, as far as is known; nil for an ended subscription.
    public let until: Instant?
    /// When the first period began that the customer bought; nil if there is none.
    public let firstSubscribedAt: Instant?
    /// Whole days of service so far from periods that the customer bought.
    ///
    /// Where periods overlap, the time counts once.
    public let daysSubscribed: Int64
    /// How many periods the customer paid for and was not wholly refunded.
    ///
    /// A period whose price is not known counts as paid.
    public let paidPeriods: Int
    /// Whether all periods that the customer bought are known from the first on.
    ///
    /// If not, there may have been earlier ones.
    public let isKnownFromStart: Bool
    /// Whether the customer has used an introductory offer of the group; nil if unknown.
    public let introductoryOfferUsed: Bool?
    /// The first purchase with an introductory offer; nil if there is none.
    public let introductoryPurchase: PurchaseTransaction?
    /// Whether another customer of the app has used an introductory offer of the group with the same Apple account.
    public let introductoryOfferUsedByAccount: Bool
    private let asOf: Instant

    init(groupID: String?, of customer: borrowing Customer) {
        let now = customer.now
        let group = groupID.map(ExactText.init)
        func isOfGroup(_ chain: PurchaseChain) -> Bool { customer.group(of: chain).map(ExactText.init) == group }
        let chains = Customer.part(of: customer.subscriptions, where: isOfGroup)
        let own = Customer.part(of: customer.ownSubscriptions, where: isOfGroup)
        let account = Customer.part(of: customer.accountSubscriptions, where: isOfGroup)
        let (period, isUnconfirmed) = SubscriptionPeriod.deciding(of: chains, at: now)
        self.groupID = groupID
        asOf = now
        status = SubscriptionStatus(period, isRenewalUnconfirmed: isUnconfirmed)
        renewal = period?.renewal?.value
        (since, until) = SubscriptionFacts.time(of: period, chains, at: now)
        daysSubscribed = ServiceTime(of: own, isOwn: true, at: now).length(until: now) / Days.length
        isKnownFromStart = own.allSatisfy(\.showsFirstPeriod)
        var (first, paid, introductory): (Instant?, Int, PurchaseTransaction?) = (nil, 0, nil)
        for chain in own {
            for transaction in chain.transactions where transaction.hasBegun(by: now) {
                if transaction.offer?.kind == .introductory, introductory.map({ $0.isNewer(than: transaction) }) ?? true {
                    introductory = transaction
                }
                guard transaction.expiry != nil else { continue }
                first = min(first ?? transaction.purchasedAt, transaction.purchasedAt)
                if transaction.isSubscriptionPeriod, transaction.paid(by: now) != .nothing { paid += 1 }
            }
        }
        (firstSubscribedAt, paidPeriods, introductoryPurchase) = (first, paid, introductory)
        let isDoubtful = !isKnownFromStart || chains.contains { $0.isDoubtful }
        introductoryOfferUsed = introductoryPurchase != nil ? true : isDoubtful ? nil : false
        introductoryOfferUsedByAccount = account.contains { $0.transactions.contains { $0.offer?.kind == .introductory } }
    }

    private static func time(
        of period: SubscriptionPeriod?,
        _ chains: [PurchaseChain],
        at now: Instant
    ) -> (since: Instant?, until: Instant?) {
        guard let period, let expiry = period.transaction.expiry?.value else { return (nil, nil) }
        let grace = period.renewal?.value.gracePeriodExpiresAt
        switch period.state {
        case .never: return (nil, nil)
        case .active:
            let service = ServiceTime(of: chains, isOwn: period.transaction.isOwn, at: now)
            return (service.start(ofServiceAt: period.transaction.purchasedAt), expiry)
        case .gracePeriod: return (expiry, grace)
        case .billingRetry: return (expiry, expiry.advanced(by: SubscriptionStatus.billingRetryLimit))
        case .expired: return (max(expiry, grace ?? expiry), nil)
        case .revoked: return (period.transaction.revokedAt, nil)
        }
    }

    /// Whole days since service ended; nil while it continues, and while a renewal is unconfirmed.
    public var daysSinceLapse: Int64? {
        guard status.state == .expired || status.state == .revoked, !status.isRenewalUnconfirmed else { return nil }
        return since.map { Days.between($0, asOf) }
    }

    /// Whole days until the next renewal; nil unless the subscription is active and known to renew.
    public var daysUntilRenewal: Int64? {
        guard status.state == .active, status.willRenew == true else { return nil }
        return until.map { Days.between(asOf, $0) }
    }

    /// When the grace period of the deciding period ends or has ended; nil if there is none.
    public var gracePeriodExpiresAt: Instant? { renewal?.gracePeriodExpiresAt }

    /// When the App Store stops trying to collect the price; nil unless it is trying.
    public var billingRetryEndsAt: Instant? {
        guard renewal?.isInBillingRetry == true, status.state == .billingRetry || status.state == .gracePeriod else { return nil }
        return status.transaction?.expiry?.value.advanced(by: SubscriptionStatus.billingRetryLimit)
    }

    /// What the customer has paid for the deciding period, less refunds; nil if there is no such period.
    public var paid: PaidAmount? { status.transaction?.paid(by: asOf) }

    /// The billing plan of the deciding period; nil if the App Store has not stated it.
    public var billingPlan: BillingPlan? { status.billingPlan }

    /// The price of the next period, in thousandths of the currency's unit; nil if not stated.
    ///
    /// For a subscription with seats it is the average price of a seat.
    public var renewalPrice: Int64? { renewal?.particulars?.value(of: "renewalPrice").flatMap { Int64($0) } }
}

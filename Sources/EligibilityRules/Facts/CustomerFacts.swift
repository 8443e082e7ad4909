/// What is known of a customer at an instant: worked out once, and only printed after that. Conditions ask for the same values.
///
/// Counted are purchases of the app's environment that the customer made; what somebody else paid for shows in a subscription's state only.
public struct CustomerFacts: Sendable {
    /// The instant.
    public let asOf: Instant
    /// Whose purchases count.
    public let environment: PurchaseEnvironment
    /// How much of the purchases is known.
    public let completeness: Completeness
    /// When anything of the history last changed here; nil when nothing was ever supplied.
    public let historyUpdatedAt: Instant?
    /// The latest statement of the App Store's; nil when there is none.
    public let lastStatement: Stamp?
    /// By group id; subscriptions of a group that nobody knows come last.
    public let subscriptions: [SubscriptionFacts]
    /// Offers that were redeemed, the first one first; introductory offers stand with their subscription.
    public var redemptions: [RedemptionFact]
    /// Purchases that were taken back, the first one first.
    public let refunds: [PurchaseTransaction]
    /// How many purchases and periods there were.
    public let purchases: Int
    /// When the first of them was made.
    public let firstPurchaseAt: Instant?
    /// When the last of them was made.
    public let lastPurchaseAt: Instant?
    /// What leads from the customer to purchases.
    public var links: CustomerLinks
    /// What the App Store has said that this version does not know, each once.
    public let unrecognised: [Particulars.Fact]

    /// Works them out.
    public init(of customer: borrowing Customer, historyUpdatedAt: Instant?) {
        let (now, environment, catalogue) = (customer.now, customer.policy.environment, customer.catalogue)
        let counted = Customer.part(of: customer.history.chains) { $0.isCounted(in: environment) }
        let own = PurchaseChain.parts(of: PurchaseChain.withWholePeriods(counted)) { $0.isOwn && $0.hasBegun(by: now) }
        asOf = now
        self.environment = environment
        completeness = customer.completeness
        self.historyUpdatedAt = historyUpdatedAt
        lastStatement = CustomerFacts.lastStatement(about: counted)
        subscriptions = customer.groups.map { SubscriptionFacts(groupID: $0, of: customer) }
        var redemptions: [RedemptionFact] = []
        for chain in own {
            let groupID = customer.group(of: chain)
            for (first, offer, periods) in chain.redemptions(in: catalogue) {
                redemptions.append(RedemptionFact(offer: offer, transaction: first, groupID: groupID, periods: periods))
            }
        }
        self.redemptions = redemptions.sorted { $1.transaction.isNewer(than: $0.transaction) }
        var (refunds, purchases, first, last): ([PurchaseTransaction], Int, Instant?, Instant?) = ([], 0, nil, nil)
        for chain in own {
            for transaction in chain.transactions {
                purchases += 1
                first = min(first ?? transaction.purchasedAt, transaction.purchasedAt)
                last = max(last ?? transaction.purchasedAt, transaction.purchasedAt)
                if let revoked = transaction.revokedAt, revoked <= now { refunds.append(transaction) }
            }
        }
        self.refunds = refunds.sorted { left, right in
            left.revokedAt! != right.revokedAt! ? left.revokedAt! < right.revokedAt! : TextOrder.precedes(left.id, right.id)
        }
        (self.purchases, firstPurchaseAt, lastPurchaseAt) = (purchases, first, last)
        links = CustomerLinks(customer.history.chains)
        unrecognised = CustomerFacts.unrecognised(in: counted)
    }

    private static func unrecognised(in chains: [PurchaseChain]) -> [Particulars.Fact] {
        var seen: Set<Particulars.Fact> = []
        func look(at said: Particulars?) {
            for fact in said?.facts ?? [] where !fact.isRecognised { seen.insert(fact) }
        }
        for chain in chains {
            for transaction in chain.transactions { look(at: transaction.particulars?.value) }
            look(at: chain.renewal?.value.particulars)
        }
        return seen.isEmpty ? [] : Particulars(seen.sorted { TextOrder.precedes($0.value, $1.value) }).facts
    }

    private static func lastStatement(about chains: [PurchaseChain]) -> Stamp? {
        var last: Stamp?
        func look(at stamp: Stamp?) {
            if let stamp { last = max(last ?? stamp, stamp) }
        }
        for chain in chains {
            look(at: chain.renewal?.stamp)
            look(at: chain.winBackOffers?.stamp)
            for transaction in chain.transactions {
                look(at: transaction.expiry?.stamp)
                look(at: transaction.revocation?.stamp)
            }
        }
        return last
    }

    /// Whether an introductory offer of any group was used; nil when nobody can tell.
    public var introductoryOfferUsed: Bool? {
        let used = subscriptions.map(\.introductoryOfferUsed)
        return used.contains(true) ? true : used.contains(nil) ? nil : false
    }

    /// Whole days since the first purchase; nil without one.
    public var daysSinceFirstPurchase: Int64? { firstPurchaseAt.map { Days.between($0, asOf) } }

    /// Whole days since an offer was last redeemed; nil if none ever was.
    public var daysSinceLastRedemption: Int64? { redemptions.last.map { Days.between($0.transaction.purchasedAt, asOf) } }
}

extension Customer {
    /// The groups of the subscriptions in order; nil, as the last, if that of one is not known.
    fileprivate var groups: [String?] {
        // As a rule there is one subscription.
        if subscriptions.count == 1 { return [group(of: subscriptions[0])] }
        let known = subscriptions.map(group)
        let sorted: [String?] = TextOrder.distinct(known.compactMap(\.self))
        return known.contains(nil) ? sorted + [nil] : sorted
    }
}

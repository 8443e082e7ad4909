/// What is known of a customer at an instant.
///
/// The facts are computed once. They are then printed, and conditions test the same values.
///
/// Only purchases that the customer made in the app's environment count. A shared (Family Sharing) or assigned subscription
/// appears only in the state of `subscriptions`.
public struct CustomerFacts: Sendable {
    /// The instant at which the facts hold.
    public let asOf: Instant
    /// The environment whose purchases count.
    public let environment: PurchaseEnvironment
    /// How much of the customer's purchases is known.
    public let completeness: Completeness
    /// When the stored history last changed; nil if no history was ever supplied.
    public let historyUpdatedAt: Instant?
    /// The time and source of the App Store's latest statement; nil if there is none.
    public let lastStatement: Stamp?
    /// The facts of the subscriptions, one entry for each group, in the order of the group ids.
    ///
    /// Subscriptions of unknown groups share one entry, which comes last.
    public let subscriptions: [SubscriptionFacts]
    /// The redeemed offers except introductory ones, the earliest first.
    ///
    /// Introductory offers are among the facts of their subscription.
    public var redemptions: [RedemptionFact]
    /// The refunded or revoked purchases, in the order of their revocation.
    public let refunds: [PurchaseTransaction]
    /// How many purchases and periods of subscriptions are known.
    public let purchases: Int
    /// When the first of these purchases was made; nil if there is none.
    public let firstPurchaseAt: Instant?
    /// When the last of these purchases was made; nil if there is none.
    public let lastPurchaseAt: Instant?
    /// The ids that link the customer with purchases.
    public var links: CustomerLinks
    /// The values of the App Store's data that this version does not recognise, each once.
    public let unrecognised: [Particulars.Fact]

    /// Computes the facts of a customer.
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
                look(at: transaction.cancellation?.stamp)
            }
        }
        return last
    }

    /// Whether an introductory offer of any group was used; nil if unknown.
    public var introductoryOfferUsed: Bool? {
        let used = subscriptions.map(\.introductoryOfferUsed)
        return used.contains(true) ? true : used.contains(nil) ? nil : false
    }

    /// Whole days since the first purchase; nil without one.
    public var daysSinceFirstPurchase: Int64? { firstPurchaseAt.map { Days.between($0, asOf) } }

    /// Whole days since an offer was last redeemed, except an introductory one; nil if none was redeemed.
    public var daysSinceLastRedemption: Int64? { redemptions.last.map { Days.between($0.transaction.purchasedAt, asOf) } }
}

extension Customer {
    /// The groups of the subscriptions in order, with a nil at the end if the group of a subscription is unknown.
    fileprivate var groups: [String?] {
        // Usually there is one subscription, so that nothing has to be sorted.
        if subscriptions.count == 1 { return [group(of: subscriptions[0])] }
        let known = subscriptions.map(group)
        let sorted: [String?] = TextOrder.distinct(known.compactMap(\.self))
        return known.contains(nil) ? sorted + [nil] : sorted
    }
}

/// The ids that link a customer with purchases.
public struct CustomerLinks: Sendable {
    /// Other ids under which the app knew the customer.
    public var aliases: [String] = []
    /// The `applicationUsername` values of signatures whose offers the customer redeemed.
    public var applicationUsernames: [String] = []
    /// The `appAccountToken` values of the purchases, in order.
    public let accountTokens: [String]
    /// The `appTransactionId` values of the purchases, one for each Apple account, in order.
    public let appleAccounts: [String]
    /// The customer's subscriptions and other purchases, including those of other environments.
    public let chains: [PurchaseChain]

    init(_ chains: [PurchaseChain]) {
        accountTokens = TextOrder.distinct(chains.compactMap(\.accountToken))
        appleAccounts = TextOrder.distinct(chains.compactMap(\.appTransactionID))
        self.chains = chains
    }
}

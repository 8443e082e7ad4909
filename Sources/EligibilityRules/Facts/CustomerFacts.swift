/// What is known of a customer at an instant. It is computed once and then only printed. Conditions read the same values.
///
/// Only the customer's own purchases in the app's environment count.
/// A shared (Family Sharing) or assigned subscription shows in a subscription's state only.
public struct CustomerFacts: Sendable {
    /// The instant.
    public let asOf: Instant
    /// The environment whose purchases count.
    public let environment: PurchaseEnvironment
    /// How much of the purchases is known.
    public let completeness: Completeness
    /// When the history last changed here; nil if none was ever supplied.
    public let historyUpdatedAt: Instant?
    /// The latest statement by the App Store; nil if there is none.
    public let lastStatement: Stamp?
    /// By group id. Subscriptions of an unknown group come last.
    public let subscriptions: [SubscriptionFacts]
    /// The redeemed offers, the first one first. Introductory offers are listed with their subscription.
    public var redemptions: [RedemptionFact]
    /// The refunded or revoked purchases, in the order of their revocation.
    public let refunds: [PurchaseTransaction]
    /// The number of purchases and periods.
    public let purchases: Int
    /// When the first of them was made.
    public let firstPurchaseAt: Instant?
    /// When the last of them was made.
    public let lastPurchaseAt: Instant?
    /// The ids that lead from the customer to purchases.
    public var links: CustomerLinks
    /// What the App Store has stated that this version does not recognise, each value once.
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

    /// Whole days since an offer was last redeemed; nil if none ever was.
    public var daysSinceLastRedemption: Int64? { redemptions.last.map { Days.between($0.transaction.purchasedAt, asOf) } }
}

extension Customer {
    /// The groups of the subscriptions in order. A last nil stands for those of an unknown group.
    fileprivate var groups: [String?] {
        // There is usually one subscription.
        if subscriptions.count == 1 { return [group(of: subscriptions[0])] }
        let known = subscriptions.map(group)
        let sorted: [String?] = TextOrder.distinct(known.compactMap(\.self))
        return known.contains(nil) ? sorted + [nil] : sorted
    }
}

/// The ids that link a customer and purchases.
public struct CustomerLinks: Sendable {
    /// Other ids under which the app knew the customer.
    public var aliases: [String] = []
    /// User names that were signed for the customer and redeemed.
    public var applicationUsernames: [String] = []
    /// The UUIDs that the app assigned to the purchases, in order.
    public let accountTokens: [String]
    /// The Apple accounts of the purchases, by `appTransactionId`, in order.
    public let appleAccounts: [String]
    /// The customer's subscriptions and other purchases, including those of other environments.
    public let chains: [PurchaseChain]

    init(_ chains: [PurchaseChain]) {
        accountTokens = TextOrder.distinct(chains.compactMap(\.accountToken))
        appleAccounts = TextOrder.distinct(chains.compactMap(\.appTransactionID))
        self.chains = chains
    }
}

/// One customer at one instant: all that the rules look at.
public struct Customer: Sendable {
    /// What is known of the purchases.
    public let history: PurchaseHistory
    /// Whether anything was ever supplied for this customer, be it an empty history.
    public let isHistorySupplied: Bool
    /// What the app sells.
    public let catalogue: Catalogue
    /// What the app has decided.
    public let policy: EligibilityPolicy
    /// The instant of the question.
    public let now: Instant
    /// The chains of subscriptions, shared ones included.
    let subscriptions: [PurchaseChain]
    /// The chains of subscriptions that the customer bought, without what a family member shares.
    let ownSubscriptions: [PurchaseChain]
    /// What the subscriptions that the customer bought come to, whatever their group.
    let ownStatus: SubscriptionStatus
    private let hasShared: Bool

    /// Takes the values as they are.
    public init(
        history: PurchaseHistory,
        isHistorySupplied: Bool,
        catalogue: Catalogue,
        policy: EligibilityPolicy,
        now: Instant
    ) {
        self.history = history
        self.isHistorySupplied = isHistorySupplied
        self.catalogue = catalogue
        self.policy = policy
        self.now = now
        let chains = history.chains
        subscriptions = Customer.part(of: chains, where: \.isSubscription)
        hasShared = subscriptions.contains { $0.transactions.contains(where: \.isFamilyShared) }
        ownSubscriptions = hasShared ? subscriptions.compactMap(\.ownPurchases).filter(\.isSubscription) : subscriptions
        ownStatus = SubscriptionStatus(of: ownSubscriptions, at: now)
    }

    /// The subscription in a group, shared ones included.
    public func subscription(inGroup groupID: String) -> SubscriptionStatus {
        status(of: chains(inGroup: groupID))
    }

    /// The chains of subscriptions in a group.
    func chains(inGroup groupID: String) -> [PurchaseChain] {
        Customer.part(of: subscriptions) { isInGroup($0, groupID) }
    }

    /// The group of a chain: as the App Store says, or else as the catalogue does; nil if neither knows.
    func group(of chain: PurchaseChain) -> String? {
        if let groupID = chain.groupID { return groupID }
        for transaction in chain.transactions {
            if let product = catalogue.product(transaction.productID) { return product.groupID }
        }
        return nil
    }

    /// What some of the subscriptions come to; known already where they are all there are and all the customer's own.
    func status(of chains: [PurchaseChain]) -> SubscriptionStatus {
        if !hasShared, chains.count == subscriptions.count { return ownStatus }
        return SubscriptionStatus(of: chains, at: now)
    }

    /// Whether a chain belongs to a group.
    func isInGroup(_ chain: PurchaseChain, _ groupID: String) -> Bool {
        group(of: chain).map(ExactText.init) == ExactText(groupID)
    }

    /// The chains that a condition holds for; the list itself where it holds for all, as it does as a rule.
    static func part(of chains: [PurchaseChain], where condition: (PurchaseChain) -> Bool) -> [PurchaseChain] {
        chains.allSatisfy(condition) ? chains : chains.filter(condition)
    }
}

extension PurchaseChain {
    /// The chain without what a family member bought; nil if nothing is left.
    fileprivate var ownPurchases: PurchaseChain? {
        guard transactions.contains(where: \.isFamilyShared) else { return self }
        let own = transactions.filter { !$0.isFamilyShared }
        guard !own.isEmpty else { return nil }
        var copy = with(transactions: own)
        // A first period that was shared is left out here, but it has been seen.
        copy.isListedFromStart = showsFirstPeriod
        return copy
    }
}

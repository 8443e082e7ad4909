/// One customer at one instant: all that the rules look at.
public struct Customer: Sendable {
    /// What is known of the purchases, those of other environments included.
    public let history: PurchaseHistory
    /// How much of the purchases is known.
    public let completeness: Completeness
    /// What the app sells.
    public let catalogue: Catalogue
    /// The groups that the App Store names where the catalogue does not.
    public let seenGroups: SeenGroups
    /// What the app has decided.
    public let policy: EligibilityPolicy
    /// The instant of the question.
    public let now: Instant
    /// The chains of subscriptions, those that somebody else paid for included.
    let subscriptions: [PurchaseChain]
    /// The chains of subscriptions that the customer bought.
    let ownSubscriptions: [PurchaseChain]
    /// What the subscriptions that the customer bought come to, whatever their group.
    public let ownStatus: SubscriptionStatus
    /// Whether one of these is current.
    let isSubscriber: Bool
    /// What other customers of the app have bought with the same Apple account; empty as a rule.
    let accountSubscriptions: [PurchaseChain]
    /// The chains of which something is said that nobody knows; none as a rule.
    let doubtful: [PurchaseChain]
    /// Whether somebody else paid for any of it.
    let hasOthers: Bool

    /// - Parameters:
    ///   - accountChains: what the customer's Apple account has bought for others than the customer.
    ///   - completeness: as far as it does not follow from the history.
    public init(
        history: PurchaseHistory,
        accountChains: [PurchaseChain] = [],
        completeness: Completeness,
        catalogue: Catalogue,
        seenGroups: SeenGroups = .none,
        policy: EligibilityPolicy,
        now: Instant
    ) {
        self.history = history
        self.catalogue = catalogue
        self.seenGroups = seenGroups
        self.policy = policy
        self.now = now
        let counted = Customer.part(of: history.chains) { $0.isCounted(in: policy.environment) }
        let chains = PurchaseChain.settled(counted)
        let isShown = chains.contains { !$0.transactions.isEmpty }
        self.completeness = completeness == .none && isShown ? .partial : completeness
        subscriptions = Customer.part(of: chains, where: \.isSubscription)
        hasOthers = subscriptions.contains { $0.transactions.contains { !$0.isOwn } }
        ownSubscriptions =
            hasOthers ? subscriptions.compactMap { $0.part(where: \.isOwn) }.filter(\.isSubscription) : subscriptions
        ownStatus = SubscriptionStatus(of: ownSubscriptions, at: now)
        isSubscriber = ownStatus.state.isCurrent
        accountSubscriptions =
            accountChains.isEmpty ? [] : Customer.subscriptions(accountChains, policy.environment)
        let isDoubtful = { (chain: PurchaseChain) in
            chain.isDoubtful && (chain.isCounted(in: policy.environment) || chain.environment == .unrecognised)
        }
        doubtful = history.chains.contains(where: isDoubtful) ? history.chains.filter(isDoubtful) : []
    }

    /// The subscription in a group, shared ones included.
    public func subscription(inGroup groupID: String) -> SubscriptionStatus {
        status(of: chains(inGroup: groupID))
    }

    /// The group of a product: as the App Store says, or else as the catalogue does.
    public func groupID(of product: SubscriptionProduct) -> String {
        seenGroups.group(ofProduct: product.id) ?? product.groupID
    }

    /// Why nothing can be known, or what is missing where the app requires a complete history; nil where nothing is.
    var missingHistory: Reason? {
        if !policy.knowsPurchases { return .purchasesInXcode }
        guard policy.requiresHistory, completeness != .complete else { return nil }
        return completeness == .none ? .noHistory : .incompleteHistory
    }

    /// The chains of subscriptions in a group.
    func chains(inGroup groupID: String) -> [PurchaseChain] {
        Customer.part(of: subscriptions) { isInGroup($0, groupID) }
    }

    /// The group of a chain: as the App Store says, or else as the catalogue does; nil if neither knows.
    func group(of chain: PurchaseChain) -> String? {
        if let groupID = chain.groupID { return groupID }
        for transaction in chain.transactions {
            if let groupID = seenGroups.group(ofProduct: transaction.productID) { return groupID }
            if let product = catalogue.product(transaction.productID) { return product.groupID }
        }
        return nil
    }

    /// What some of the subscriptions come to; known already where they are all there are and all the customer's own.
    func status(of chains: [PurchaseChain]) -> SubscriptionStatus {
        if !hasOthers, chains.count == subscriptions.count { return ownStatus }
        return SubscriptionStatus(of: chains, at: now)
    }

    /// Whether a chain belongs to a group.
    func isInGroup(_ chain: PurchaseChain, _ groupID: String) -> Bool {
        group(of: chain).map(ExactText.init) == ExactText(groupID)
    }

    /// Whether a chain belongs to a group, or to one that nobody knows.
    func mayBeInGroup(_ chain: PurchaseChain, _ groupID: String) -> Bool {
        group(of: chain).map { ExactText($0) == ExactText(groupID) } ?? true
    }

    /// Whose an Apple account's running subscription is: somebody else's counts first, since buying would move it; `nobody` where none runs.
    public func ownerOfRunningSubscription(_ account: [AccountChain]) -> AccountChain.Owner {
        let owners = account.filter { member in
            Customer.subscriptions([member.chain], policy.environment).contains {
                SubscriptionStatus(of: [$0], at: now).state.isCurrent
            }
        }.map(\.owner)
        return owners.contains(.another) ? .another : owners.contains(.same) ? .same : .nobody
    }

    /// What the Apple account's holder has bought of some chains.
    static func subscriptions(_ chains: [PurchaseChain], _ environment: PurchaseEnvironment) -> [PurchaseChain] {
        PurchaseChain.settled(chains.filter { $0.isCounted(in: environment) })
            .compactMap { $0.part(where: \.isOwn) }.filter(\.isSubscription)
    }

    /// The chains that a condition holds for; the list itself where it holds for all, as it does as a rule.
    static func part(of chains: [PurchaseChain], where condition: (PurchaseChain) -> Bool) -> [PurchaseChain] {
        chains.allSatisfy(condition) ? chains : chains.filter(condition)
    }
}

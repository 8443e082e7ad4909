/// One customer at one instant: everything that the rules read.
public struct Customer: Sendable {
    /// The known purchases, including those of other environments.
    public let history: PurchaseHistory
    /// How much of the purchases is known.
    public let completeness: Completeness
    /// What the app sells.
    public let catalogue: Catalogue
    /// The groups that the App Store names, where the catalogue names another or none.
    public let seenGroups: SeenGroups
    /// The app's choices where Apple leaves them open.
    public let policy: EligibilityPolicy
    /// The instant of the question.
    public let now: Instant
    /// The chains of subscriptions, including shared (Family Sharing) and assigned ones.
    let subscriptions: [PurchaseChain]
    /// The chains of subscriptions that the customer bought.
    let ownSubscriptions: [PurchaseChain]
    /// The status of the subscriptions that the customer bought, whatever their group.
    public let ownStatus: SubscriptionStatus
    /// Whether one of them is current.
    let isSubscriber: Bool
    /// The subscriptions that other customers of the app bought with the same Apple account; empty as a rule.
    let accountSubscriptions: [PurchaseChain]
    /// The chains with a value that is not recognised; empty as a rule.
    let doubtful: [PurchaseChain]
    /// Whether any of them is a shared (Family Sharing) or assigned subscription.
    let hasOthers: Bool

    /// - Parameters:
    ///   - accountChains: what the customer's Apple account has bought for other customers.
    ///   - completeness: as far as the history does not show it.
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

    /// Returns the subscription in a group, including shared ones.
    public func subscription(inGroup groupID: String) -> SubscriptionStatus {
        status(of: chains(inGroup: groupID))
    }

    /// Returns the group of a product, from the App Store or else from the catalogue.
    public func groupID(of product: SubscriptionProduct) -> String {
        seenGroups.group(ofProduct: product.id) ?? product.groupID
    }

    /// Why the purchases cannot be known, or what a required complete history lacks; nil if neither applies.
    var missingHistory: Reason? {
        if !policy.knowsPurchases { return .purchasesInXcode }
        guard policy.requiresHistory, completeness != .complete else { return nil }
        return completeness == .none ? .noHistory : .incompleteHistory
    }

    /// Returns the chains of subscriptions in a group.
    func chains(inGroup groupID: String) -> [PurchaseChain] {
        Customer.part(of: subscriptions) { isInGroup($0, groupID) }
    }

    /// Returns the group of a chain, from the App Store or else from the catalogue; nil if neither names it.
    func group(of chain: PurchaseChain) -> String? {
        if let groupID = chain.groupID { return groupID }
        for transaction in chain.transactions {
            if let groupID = seenGroups.group(ofProduct: transaction.productID) { return groupID }
            if let product = catalogue.product(transaction.productID) { return product.groupID }
        }
        return nil
    }

    /// Returns the status of some subscriptions.
    /// Reuses `ownStatus` where these are all there are, and the customer bought all of them.
    func status(of chains: [PurchaseChain]) -> SubscriptionStatus {
        if !hasOthers, chains.count == subscriptions.count { return ownStatus }
        return SubscriptionStatus(of: chains, at: now)
    }

    /// Whether a chain belongs to a group.
    func isInGroup(_ chain: PurchaseChain, _ groupID: String) -> Bool {
        group(of: chain).map(ExactText.init) == ExactText(groupID)
    }

    /// Whether a chain belongs to a group, or its group is unknown.
    func mayBeInGroup(_ chain: PurchaseChain, _ groupID: String) -> Bool {
        group(of: chain).map { ExactText($0) == ExactText(groupID) } ?? true
    }

    /// Returns the owner of an Apple account's running subscription; `nobody` if none runs.
    /// Another customer's subscription counts first, since buying would move it.
    public func ownerOfRunningSubscription(_ account: [AccountChain]) -> AccountChain.Owner {
        let owners = account.filter { member in
            Customer.subscriptions([member.chain], policy.environment).contains {
                SubscriptionStatus(of: [$0], at: now).state.isCurrent
            }
        }.map(\.owner)
        return owners.contains(.another) ? .another : owners.contains(.same) ? .same : .nobody
    }

    /// Returns the subscriptions among some chains that the holder of the Apple account bought.
    ///
    /// - Parameter isTheirs: which periods count; by default those that they bought.
    static func subscriptions(
        _ chains: [PurchaseChain],
        _ environment: PurchaseEnvironment,
        where isTheirs: (PurchaseTransaction) -> Bool = { $0.isOwn }
    ) -> [PurchaseChain] {
        PurchaseChain.settled(chains.filter { $0.isCounted(in: environment) })
            .compactMap { $0.part(where: isTheirs) }.filter(\.isSubscription)
    }

    /// Returns the chains that a condition holds for. If it holds for all, as it usually does, returns the list itself.
    static func part(of chains: [PurchaseChain], where condition: (PurchaseChain) -> Bool) -> [PurchaseChain] {
        chains.allSatisfy(condition) ? chains : chains.filter(condition)
    }
}

extension Customer {
    /// Calls `body` with the Apple ids of the buyer, whatever id the customer has in the app.
    /// It passes the customer's own subscriptions, then those of other customers with the same Apple accounts.
    ///
    /// - Parameter body: receives Apple's `originalTransactionId`, and the `appTransactionId` of the Apple account where known.
    public func forEachAccount(_ body: (_ subscription: String, _ account: String?) -> Void) {
        for chain in ownSubscriptions { body(chain.originalID, chain.appTransactionID) }
        for chain in accountSubscriptions { body(chain.originalID, chain.appTransactionID) }
    }

    /// Returns the subscription in a group that the customer bought.
    public func ownSubscription(inGroup groupID: String) -> SubscriptionStatus {
        status(of: Customer.part(of: ownSubscriptions) { isInGroup($0, groupID) })
    }

    /// Returns the subscription in a product's group that the customer bought, if it is current.
    public func runningSubscription(inGroupOf product: SubscriptionProduct) -> SubscriptionStatus? {
        // If no subscription of any group is current, this one is not.
        guard isSubscriber else { return nil }
        let status = ownSubscription(inGroup: groupID(of: product))
        return status.state.isCurrent ? status : nil
    }
}

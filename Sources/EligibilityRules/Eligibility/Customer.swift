/// One customer at one instant: everything that the rules read.
public struct Customer: Sendable {
    /// The known purchases, including those of other environments.
    public let history: PurchaseHistory
    /// How much of the customer's purchases is known.
    public let completeness: Completeness
    /// What the app sells.
    public let catalogue: Catalogue
    /// The groups that the App Store's data name for products, where they differ from the catalogue.
    public let seenGroups: SeenGroups
    /// The app's choices where Apple leaves them open.
    public let policy: EligibilityPolicy
    /// The instant for which the rules decide.
    public let now: Instant
    /// The chains of subscriptions, including shared (Family Sharing) and assigned ones.
    let subscriptions: [PurchaseChain]
    /// The chains of subscriptions that the customer bought.
    let ownSubscriptions: [PurchaseChain]
    /// The status of the subscriptions that the customer bought, whatever their group.
    public let ownStatus: SubscriptionStatus
    /// Whether one of the subscriptions that the customer bought is current.
    let isSubscriber: Bool
    /// The subscriptions that other customers of the app bought with the same Apple account; usually empty.
    let accountSubscriptions: [PurchaseChain]
    /// The chains with a value that this version does not recognise and that a verdict may depend on; usually empty.
    let doubtful: [PurchaseChain]
    /// Whether any of `subscriptions` is shared (Family Sharing) or assigned.
    let hasOthers: Bool

    /// Sorts the purchases by what the rules ask for.
    ///
    /// - Parameters:
    ///   - accountChains: the purchases with the customer's Apple account that belong to other customers of the app.
    ///   - completeness: how much of the purchases is known. `none` becomes `partial` if the history has a purchase.
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

    /// Returns the customer's subscription in a group; a shared (Family Sharing) or assigned one counts, too.
    public func subscription(inGroup groupID: String) -> SubscriptionStatus {
        status(of: chains(inGroup: groupID))
    }

    /// Returns the group of a product by the App Store's data or, if these do not name it, by the catalogue.
    public func groupID(of product: SubscriptionProduct) -> String {
        seenGroups.group(ofProduct: product.id) ?? product.groupID
    }

    /// Why a verdict cannot rest on the history; nil if it can.
    ///
    /// There are two reasons: purchases in Xcode cannot be known, or the app requires a complete history and this history is not
    /// complete.
    var missingHistory: Reason? {
        if !policy.knowsPurchases { return .purchasesInXcode }
        guard policy.requiresHistory, completeness != .complete else { return nil }
        return completeness == .none ? .noHistory : .incompleteHistory
    }

    /// Returns the chains of subscriptions in a group.
    func chains(inGroup groupID: String) -> [PurchaseChain] {
        Customer.part(of: subscriptions) { isInGroup($0, groupID) }
    }

    /// Returns the group of a chain by the App Store's data or else by the catalogue; nil if neither names it.
    func group(of chain: PurchaseChain) -> String? {
        if let groupID = chain.groupID { return groupID }
        for transaction in chain.transactions {
            if let groupID = seenGroups.group(ofProduct: transaction.productID) { return groupID }
            if let product = catalogue.product(transaction.productID) { return product.groupID }
        }
        return nil
    }

    /// Returns the status that results from some of the subscriptions.
    ///
    /// If they are all of the customer's subscriptions, and the customer bought all of them, it is `ownStatus`, which is known.
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

    /// Returns the owner of an Apple account's running subscription; `nobody` if no subscription is running.
    ///
    /// If several customers have one, another customer counts before this one: a purchase by this customer would take over the
    /// other customer's subscription.
    public func ownerOfRunningSubscription(_ account: [AccountChain]) -> AccountChain.Owner {
        let owners = account.filter { member in
            Customer.subscriptions([member.chain], policy.environment).contains {
                SubscriptionStatus(of: [$0], at: now).state.isCurrent
            }
        }.map(\.owner)
        return owners.contains(.another) ? .another : owners.contains(.same) ? .same : .nobody
    }

    /// Returns those parts of some chains that are subscriptions in the environment and that the customer bought.
    ///
    /// - Parameter isTheirs: which periods count; by default those that the customer bought.
    static func subscriptions(
        _ chains: [PurchaseChain],
        _ environment: PurchaseEnvironment,
        where isTheirs: (PurchaseTransaction) -> Bool = { $0.isOwn }
    ) -> [PurchaseChain] {
        PurchaseChain.settled(chains.filter { $0.isCounted(in: environment) })
            .compactMap { $0.part(where: isTheirs) }.filter(\.isSubscription)
    }

    /// Returns the chains for which a condition holds.
    ///
    /// Usually it holds for all of them; then the list itself is returned, without a copy.
    static func part(of chains: [PurchaseChain], where condition: (PurchaseChain) -> Bool) -> [PurchaseChain] {
        chains.allSatisfy(condition) ? chains : chains.filter(condition)
    }
}

extension Customer {
    /// Whether an id names one of the customer's own subscriptions, the Apple account that bought one, or another purchase of the
    /// customer with that account.
    public func hasBought(_ id: String) -> Bool {
        let id = ExactText(id)
        let accounts = Set(ownSubscriptions.compactMap { $0.appTransactionID.map(ExactText.init) })
        let others = history.chains.filter { chain in
            chain.isCounted(in: policy.environment) && chain.transactions.contains(where: \.isOwn)
                && (chain.appTransactionID.map { accounts.contains(ExactText($0)) } ?? false)
        }
        return accounts.contains(id)
            || (ownSubscriptions + others).contains { chain in
                ExactText(chain.originalID) == id || chain.transactions.contains { $0.ids.contains { ExactText($0) == id } }
            }
    }

    /// Calls `body` for each subscription that was bought with the customer's Apple accounts.
    ///
    /// The customer's own subscriptions come first, then those of other customers of the app with the same Apple accounts.
    ///
    /// - Parameter body: receives Apple's `originalTransactionId`, and the Apple account's `appTransactionId` if it is known.
    public func forEachAccount(_ body: (_ subscription: String, _ account: String?) -> Void) {
        for chain in ownSubscriptions { body(chain.originalID, chain.appTransactionID) }
        for chain in accountSubscriptions { body(chain.originalID, chain.appTransactionID) }
    }

    /// Returns the customer's subscription in a group, as far as the customer bought it.
    public func ownSubscription(inGroup groupID: String) -> SubscriptionStatus {
        status(of: Customer.part(of: ownSubscriptions) { isInGroup($0, groupID) })
    }

    /// Returns the subscription in a product's group that the customer bought; nil if it is not current.
    public func runningSubscription(inGroupOf product: SubscriptionProduct) -> SubscriptionStatus? {
        // If no subscription of any group is current, the one in this group is not either.
        guard isSubscriber else { return nil }
        let status = ownSubscription(inGroup: groupID(of: product))
        return status.state.isCurrent ? status : nil
    }
}

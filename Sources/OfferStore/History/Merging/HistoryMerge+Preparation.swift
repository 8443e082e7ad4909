import EligibilityRules

/// The queries that are made before any decision: two for a whole batch, and more only if a subscription moves to another
/// customer.
extension HistoryMerge {
    mutating func prepare(_ changes: [(change: HistoryChange, app: Int64)]) throws {
        var first = HistoryKeys()
        var kept: [(key: NotificationKey, record: NotificationRecord)] = []
        var seen: Set<NotificationKey> = []
        for (change, app) in changes {
            if let record = change.notification {
                let key = NotificationKey(app: app, key: record.key)
                if seen.insert(key).inserted { kept.append((key, record)) }
            }
            if let customerID = change.customerID { first.names.insert(HistoryKey(app, customerID)) }
            for chain in change.chains { add(chain, of: change, app, to: &first) }
        }
        if !kept.isEmpty { notifications = try rows.keep(kept) }
        try draft.load(first)
        var second = HistoryKeys()
        for (change, app) in changes {
            for chain in change.chains { try add(contested: chain, change.claim, app, to: &second) }
        }
        try draft.load(second)
    }

    private func add(_ chain: PurchaseChain, of change: HistoryChange, _ app: Int64, to keys: inout HistoryKeys) {
        let key = HistoryKey(app, chain.originalID)
        keys.chains.insert(key)
        keys.receipts.insert(key)
        if let previous = chain.previousOriginalID { keys.chains.insert(HistoryKey(app, previous)) }
        // The chain may get an owner, and its successors with it.
        if change.claim != nil || chain.previousOriginalID != nil { keys.successors.insert(key) }
        guard chain.groupID != nil, change.extent != .foreign else { return }
        for transaction in chain.transactions { keys.products.insert(HistoryKey(app, transaction.productID)) }
    }

    /// Adds the keys that decide the owner of a chain that has one already.
    private mutating func add(
        contested chain: PurchaseChain,
        _ claim: CustomerClaim?,
        _ app: Int64,
        to keys: inout HistoryKeys
    ) throws {
        let known = try draft.chain(HistoryKey(app, chain.originalID))
        if let previous = ChainOwnership.predecessor(of: chain, known) { keys.chains.insert(HistoryKey(app, previous)) }
        guard let owner = known?.owner, let claim else { return }
        let claimant = try draft.customer(named: HistoryKey(app, claim.customerID))
        guard ExactText(owner.customerID) != ExactText(claimant) else { return }
        for token in [chain.accountToken, known?.chain.accountToken].compactMap(\.self) {
            keys.tokens.insert(HistoryKey(app, token))
            for name in ChainOwnership.names(ofToken: token) { keys.names.insert(HistoryKey(app, name)) }
        }
    }
}

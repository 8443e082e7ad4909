package import EligibilityRules

/// Merges changes into the rows of a store, inside one transaction: what is read, what follows from it, what is written.
package struct HistoryMerge<Rows: HistoryRows> {
    private let rows: Rows
    private let indexesKnown: Bool
    private var customers = CustomerNews()
    private var groups: [GroupKey: SeenGroup] = [:]

    private struct GroupKey: Hashable {
        let app: Int64
        let product: ExactText
    }

    /// - Parameter indexesKnown: whether transactions that are known already are to be indexed, too.
    package init(_ rows: Rows, indexesKnown: Bool = false) {
        self.rows = rows
        self.indexesKnown = indexesKnown
    }

    /// Merges one change.
    package mutating func apply(_ change: HistoryChange) throws -> HistoryOutcome {
        let app = try rows.number(ofApp: change.bundleID)
        if let record = change.notification, try !rows.keep(record, app: app) {
            // After an import that was cut off the notification may be kept and its transactions not be indexed.
            if indexesKnown { for chain in change.chains { _ = try merge(chain, of: change, app) } }
            return .knownNotification
        }
        if change.transfers, let customerID = change.customerID {
            for chain in change.chains { try take(chain.originalID, for: customerID, change, app) }
        }
        if change.isAllOrNothing, try change.chains.contains(where: { try isOthers($0, than: change.customerID, app) }) {
            return change.refused
        }
        var outcomes: [ChainOutcome] = []
        for chain in change.chains {
            outcomes.append(try merge(chain, of: change, app))
            if change.extent != .foreign { try note(groupOf: chain, app) }
        }
        if let customerID = change.suppliedCustomer(outcomes) {
            customers.touch(customerID, app: app, CustomerTimes(suppliedAt: change.receivedAt))
        }
        if let customerID = try change.completeCustomer(outcomes, owners: { try owners(of: change.chains, app) }) {
            customers.touch(customerID, app: app, CustomerTimes(completeAt: change.receivedAt))
        }
        return .merged(outcomes)
    }

    /// Gives a subscription to a customer; from another one only if it `transfers`.
    package mutating func bind(
        _ transactionID: String,
        to customerID: String,
        transfers: Bool,
        bundleID: String,
        now: Instant
    ) throws -> BindingOutcome {
        let app = try rows.number(ofApp: bundleID)
        // Any transaction stands for its subscription; one that is not known yet is taken for the original.
        let known = try rows.chain(transactionID: transactionID, app: app)
        if transfers, let known, let owner = try owner(of: known, app), ExactText(owner) != ExactText(customerID) {
            try move(known, from: owner, to: customerID, at: now, app)
            return .transferred(from: owner)
        }
        let empty = PurchaseChain(originalID: known?.chain.originalID ?? transactionID)
        let change = HistoryChange(bundleID: bundleID, customerID: customerID, chains: [empty], receivedAt: now)
        switch try merge(empty, of: change, app) {
        case .changed: return .bound
        case .unchanged: return .unchanged
        case .boundToAnotherCustomer: return .boundToAnotherCustomer
        }
    }

    /// Takes a subscription from a customer who has it.
    package mutating func unbind(
        _ transactionID: String,
        from customerID: String,
        bundleID: String,
        now: Instant
    ) throws -> BindingOutcome {
        let app = try rows.number(ofApp: bundleID)
        guard let known = try rows.chain(transactionID: transactionID, app: app), let owner = try owner(of: known, app)
        else { return .unchanged }
        guard ExactText(owner) == ExactText(customerID) else { return .boundToAnotherCustomer }
        try move(known, from: owner, to: nil, at: now, app)
        return .unbound
    }

    /// Takes a subscription from another customer who has it.
    private mutating func take(_ originalID: String, for customerID: String, _ change: HistoryChange, _ app: Int64) throws {
        guard let known = try rows.chain(originalTransactionID: originalID, app: app), let owner = try owner(of: known, app),
            ExactText(owner) != ExactText(customerID)
        else { return }
        try move(known, from: owner, to: customerID, at: change.receivedAt, app)
    }

    private func owner(of known: StoredChain, _ app: Int64) throws -> String? {
        try ownership(of: known.chain, known, app).owner
    }

    /// Moves a customer's subscription, with what took its place and what it took the place of.
    private mutating func move(
        _ chain: StoredChain,
        from owner: String,
        to customerID: String?,
        at now: Instant,
        _ app: Int64
    ) throws {
        var first = chain
        var seen: Set<ExactText> = []
        while seen.insert(ExactText(first.chain.originalID)).inserted, let previous = first.chain.previousOriginalID,
            let before = try rows.chain(originalTransactionID: previous, app: app), before.isOf(owner)
        {
            first = before
        }
        var (rest, moved): ([StoredChain], Set<ExactText>) = ([first], [])
        while let next = rest.popLast() {
            guard moved.insert(ExactText(next.chain.originalID)).inserted else { continue }
            guard !next.isDamaged else {
                throw StoreError(.damaged, "the record of \(next.chain.originalID) cannot be read; supply the history anew")
            }
            _ = try write(ChainRow(next.chain, customerID: customerID, at: now), over: next.id, app)
            if customerID != nil { try rows.searchAgain(chain: next.id) }
            for id in try rows.successors(ofOriginalTransactionID: next.chain.originalID, app: app) {
                if let successor = try rows.chain(originalTransactionID: id, app: app), successor.mayBeOf(owner) {
                    rest.append(successor)
                }
            }
        }
        customers.touch(owner, app: app)
    }

    /// Writes a chain, and notes whose rows depend on it.
    private mutating func write(_ row: ChainRow, over id: Int64?, _ app: Int64) throws -> Int64 {
        let id = try rows.write(row, over: id, app: app)
        if let customerID = row.customerID { customers.touch(customerID, app: app) }
        // What others of the same Apple account are told depends on it as well.
        if row.isSubscription, let account = row.chain.appTransactionID {
            for customerID in try rows.customers(ofAccount: account, app: app) { customers.touch(customerID, app: app) }
        }
        return id
    }

    /// Draws the customers' rows; to be called at the end of a transaction.
    package mutating func finish() throws { try customers.draw(rows) }

    private mutating func merge(_ chain: PurchaseChain, of change: HistoryChange, _ app: Int64) throws -> ChainOutcome {
        let known = try rows.chain(originalTransactionID: chain.originalID, app: app)
        let update = ChainUpdate(
            of: known, with: chain, try ownership(of: chain, known, app), claimedBy: change.customerID, at: change.receivedAt,
            indexesKnown: indexesKnown)
        var id = known?.id
        if let row = update.row {
            id = try write(row, over: id, app)
        } else if update.outcome == .unchanged, let claimed = change.customerID {
            customers.doubt(claimed, app: app)
        }
        if let id {
            if update.isNewlyBound, known != nil { try rows.searchAgain(chain: id) }
            try record(update.transactions, of: chain.originalID, id, app)
        }
        if update.isNewlyBound {
            let news = HistoryChange(bundleID: change.bundleID, chains: [], receivedAt: change.receivedAt)
            for successor in try rows.successors(ofOriginalTransactionID: chain.originalID, app: app) {
                _ = try merge(PurchaseChain(originalID: successor), of: news, app)
            }
        }
        return update.outcome
    }

    private func record(_ transactions: [PurchaseTransaction], of originalID: String, _ chain: Int64, _ app: Int64) throws {
        for transaction in transactions {
            // The chain itself is found by the original.
            if ExactText(transaction.id) != ExactText(originalID) { try rows.index(transaction.id, app: app, chain: chain) }
            if let redemption = RedemptionRecord(transaction) { try rows.note(redemption, app: app, chain: chain) }
        }
    }

    private func ownership(of chain: PurchaseChain, _ known: StoredChain?, _ app: Int64) throws -> ChainOwnership {
        let predecessor = try ChainOwnership.predecessor(of: chain, known).flatMap { id in
            try rows.chain(originalTransactionID: id, app: app)
        }
        return ChainOwnership(known, predecessor: predecessor)
    }

    private func isOthers(_ chain: PurchaseChain, than customerID: String?, _ app: Int64) throws -> Bool {
        guard let customerID else { return false }
        let known = try rows.chain(originalTransactionID: chain.originalID, app: app)
        return try ownership(of: chain, known, app).refuses(customerID)
    }

    private func owners(of chains: [PurchaseChain], _ app: Int64) throws -> [String?] {
        try chains.map { try rows.chain(originalTransactionID: $0.originalID, app: app)?.customerID }
    }

    // Each product is looked up once a transaction: every subscriber's history names it.
    private mutating func note(groupOf chain: PurchaseChain, _ app: Int64) throws {
        guard let groupID = chain.groupID else { return }
        for transaction in chain.transactions {
            let key = GroupKey(app: app, product: ExactText(transaction.productID))
            let group = SeenGroup(productID: transaction.productID, groupID: groupID, purchasedAt: transaction.purchasedAt)
            var known = groups[key]
            if known == nil {
                known = try rows.group(ofProduct: transaction.productID, app: app)
                groups[key] = known
            }
            if let known, !known.isReplaced(by: group) { continue }
            try rows.note(group, app: app)
            groups[key] = group
        }
    }
}

import EligibilityRules

/// Merges changes into the rows of a store, inside one transaction.
///
/// A duplicate of a stored notification is recognised by its key.
package struct HistoryMerge<Rows: HistoryRows> {
    var draft: HistoryDraft<Rows>
    var customers = CustomerNews()
    private let indexesKnown: Bool
    // The notifications of the changes, without those that were stored before.
    var notifications: Set<NotificationKey> = []

    /// - Parameter indexesKnown: whether to index the transactions of stored chains, too, because an interrupted import may have
    ///   left them out.
    package init(_ rows: Rows, indexesKnown: Bool = false) {
        draft = HistoryDraft(rows)
        self.indexesKnown = indexesKnown
    }

    var rows: Rows { draft.rows }

    /// Merges the changes of several callers, in order. Returns the outcomes for each caller.
    package mutating func apply(_ jobs: [[HistoryChange]]) throws -> [[HistoryOutcome]] {
        let jobs = try jobs.map { job in try job.map { ($0, app: try rows.number(ofApp: $0.partition)) } }
        try prepare(jobs.flatMap(\.self))
        return try jobs.map { job in try job.map { try apply($0, $1) } }
    }

    private mutating func apply(_ change: HistoryChange, _ app: Int64) throws -> HistoryOutcome {
        var change = change
        change.claim = try change.claim.map { try resolved($0, app) }
        if let record = change.notification, notifications.remove(NotificationKey(app: app, key: record.key)) == nil {
            // After an interrupted import, the notification may be stored while its transactions are not indexed.
            if indexesKnown { for chain in change.chains { _ = try merge(chain, of: change, app) } }
            return .knownNotification
        }
        if let request = change.refund { draft.note(request, app) }
        if change.terms.isAllOrNothing, try change.chains.contains(where: { try isKept($0, from: change, app) }) {
            return change.refused
        }
        var outcomes: [ChainOutcome] = []
        for chain in change.chains {
            outcomes.append(try merge(chain, of: change, app))
            if change.extent != .foreign { try note(groupOf: chain, app) }
        }
        try keepReceipts(of: change, outcomes, app)
        if let customerID = change.suppliedCustomer(outcomes) {
            customers.touch(HistoryKey(app, customerID), CustomerTimes(suppliedAt: change.receivedAt))
        }
        if let customerID = try change.completeCustomer(outcomes, owners: { try owners(of: change.chains, app) }) {
            customers.touch(HistoryKey(app, customerID), CustomerTimes(completeAt: change.receivedAt))
        }
        return .merged(outcomes)
    }

    /// Writes a chain, and notes the customers whose rows depend on it.
    mutating func write(_ row: ChainRow, _ app: Int64) throws {
        try rescheduleReceipt(of: row, app)
        draft.write(row, app)
        if let customerID = row.owner?.customerID { customers.touch(HistoryKey(app, customerID)) }
    }

    /// Writes all decisions, and rebuilds the customers' rows. Called at the end of a transaction.
    package consuming func finish() throws {
        let news = draft.news
        try rows.write(news)
        try customers.rebuildSummaries(rows, accounts: news.accounts)
    }

    /// - Parameter reportsDamage: whether to throw if a record that would move to another customer is unreadable.
    mutating func merge(
        _ chain: PurchaseChain,
        of change: HistoryChange,
        _ app: Int64,
        reportsDamage: Bool = false
    ) throws -> ChainOutcome {
        let key = HistoryKey(app, chain.originalID)
        var known = try draft.chain(key)
        var ownership = try ownership(of: chain, known, change.claim, app)
        let previous = try take(chain, known, ownership, change, app, reportsDamage: reportsDamage)
        if previous != nil {
            known = try draft.chain(key)
            ownership = try self.ownership(of: chain, known, change.claim, app)
        }
        let update = ChainUpdate(
            of: known, with: chain, ownership, claimedBy: change.claim, at: change.receivedAt, answersPoll: change.answersPoll,
            indexesKnown: indexesKnown)
        if let row = update.row {
            try write(row, app)
            note(PurchaseNews.between(known?.chain, row.chain, at: change.receivedAt), known, row, change)
        } else if update.outcome == .unchanged, let claimed = change.customerID {
            customers.doubt(HistoryKey(app, claimed))
        }
        record(update, of: key, wasKnown: known != nil)
        if update.isNewlyBound {
            let news = HistoryChange(partition: change.partition, chains: [], receivedAt: change.receivedAt)
            for successor in try draft.chains(ChainLink(.predecessor, key)) {
                _ = try merge(PurchaseChain(originalID: successor.chain.originalID), of: news, app)
            }
        }
        return previous.map { .taken(from: $0) } ?? update.outcome
    }

    private mutating func record(_ update: ChainUpdate, of key: HistoryKey, wasKnown: Bool) {
        let isSearchedAgain = update.isNewlyBound && wasKnown
        guard isSearchedAgain || !update.transactions.isEmpty else { return }
        draft.change(key) { news in
            if isSearchedAgain { news.isSearchedAgain = true }
            // The original transaction needs no index entry, because it is the key of the chain.
            news.transactions += update.transactions.flatMap(\.ids).filter { ExactText($0) != key.text }
            let redemptions = update.transactions.compactMap { RedemptionRecord($0) }
            // More ids of a purchase may have become known, so its latest record replaces the earlier one.
            news.redemptions.removeAll { earlier in redemptions.contains { $0.isSame(as: earlier) } }
            news.redemptions += redemptions
        }
    }

    /// Stores the receipts that came with a change, except those of subscriptions that were refused.
    private mutating func keepReceipts(of change: HistoryChange, _ outcomes: [ChainOutcome], _ app: Int64) throws {
        guard !change.receipts.isEmpty else { return }
        let refused = zip(change.chains, outcomes).filter { $1 == .boundToAnotherCustomer }.map { ExactText($0.0.originalID) }
        for receipt in change.receipts where !refused.contains(ExactText(receipt.originalTransactionID)) {
            let key = HistoryKey(app, receipt.originalTransactionID)
            guard let stored = try draft.chain(key), try draft.receipt(key)?.isReplaced(by: receipt) ?? true else { continue }
            draft.keep(receipt, at: change.receivedAt, dueAt: receipt.due(stored.chain, at: change.receivedAt), app)
        }
    }

    private mutating func rescheduleReceipt(of row: ChainRow, _ app: Int64) throws {
        let key = HistoryKey(app, row.chain.originalID)
        guard let known = try draft.receipt(key) else { return }
        let due = known.due(row.chain, at: row.updatedAt)
        if due != known.dueAt { draft.scheduleReceipt(key, at: due) }
    }

    private mutating func owners(of chains: [PurchaseChain], _ app: Int64) throws -> [String?] {
        var owners: [String?] = []
        for chain in chains { owners.append(try draft.chain(HistoryKey(app, chain.originalID))?.customerID) }
        return owners
    }

    private mutating func note(groupOf chain: PurchaseChain, _ app: Int64) throws {
        guard let groupID = chain.groupID else { return }
        for transaction in chain.transactions {
            let group = SeenGroup(productID: transaction.productID, groupID: groupID, purchasedAt: transaction.purchasedAt)
            let known = try draft.group(ofProduct: HistoryKey(app, transaction.productID))
            if known?.isReplaced(by: group) ?? true { draft.note(group, app) }
        }
    }
}

/// The part of a merge that records changes from which events are made.
extension HistoryMerge {
    /// Records the changes of a chain that make events.
    ///
    /// A damaged chain makes none, because it does not show what was known before.
    mutating func note(_ news: @autoclosure () -> [PurchaseNews], _ known: StoredChain?, _ row: ChainRow, _ change: HistoryChange)
    {
        guard rows.keepsEvents, known?.isDamaged != true else { return }
        for piece in news() {
            let event = PurchaseEvent(
                kind: piece.kind, partition: change.partition, at: piece.at, customerID: row.owner?.customerID,
                originalTransactionID: row.chain.originalID, transactionID: piece.transaction.id,
                productID: piece.transaction.productID, offerID: piece.transaction.offer?.id)
            draft.note(event, at: change.receivedAt)
        }
    }

    /// Records that a subscription has moved to the change's customer.
    mutating func note(transferOf chain: PurchaseChain, from owner: String, _ change: HistoryChange) {
        guard rows.keepsEvents, chain.isSubscription else { return }
        var event = PurchaseEvent(
            kind: .transferred, partition: change.partition, at: change.receivedAt, customerID: change.customerID,
            originalTransactionID: chain.originalID, productID: chain.transactions.last?.productID)
        event.previousCustomerID = owner
        draft.note(event, at: change.receivedAt)
    }
}

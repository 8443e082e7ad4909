import EligibilityRules

/// Merges changes into the rows of a store, inside one transaction: what is read, what follows from it, what is written.
package struct HistoryMerge<Rows: HistoryRows> {
    let rows: Rows
    private let indexesKnown: Bool
    var customers = CustomerNews()
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
        let app = try rows.number(ofApp: change.partition)
        var change = change
        change.claim = try change.claim.map { try resolved($0, app) }
        if let record = change.notification, try !rows.keep(record, app: app) {
            // After an import that was cut off the notification may be kept and its transactions not be indexed.
            if indexesKnown { for chain in change.chains { _ = try merge(chain, of: change, app) } }
            return .knownNotification
        }
        if change.isAllOrNothing, try change.chains.contains(where: { try isKept($0, from: change, app) }) {
            return change.refused
        }
        var outcomes: [ChainOutcome] = []
        for chain in change.chains {
            outcomes.append(try merge(chain, of: change, app))
            if change.extent != .foreign { try note(groupOf: chain, app) }
        }
        try keepReceipts(of: change, outcomes, app)
        if let customerID = change.suppliedCustomer(outcomes) {
            customers.touch(customerID, app: app, CustomerTimes(suppliedAt: change.receivedAt))
        }
        if let customerID = try change.completeCustomer(outcomes, owners: { try owners(of: change.chains, app) }) {
            customers.touch(customerID, app: app, CustomerTimes(completeAt: change.receivedAt))
        }
        return .merged(outcomes)
    }

    /// Writes a chain, and notes whose rows depend on it.
    mutating func write(_ row: ChainRow, over id: Int64?, _ app: Int64) throws -> Int64 {
        if id != nil { try rescheduleReceipt(of: row, app) }
        let id = try rows.write(row, over: id, app: app)
        if let customerID = row.owner?.customerID { customers.touch(customerID, app: app) }
        // What others of the same Apple account are told depends on it as well.
        if row.isSubscription, let account = row.chain.appTransactionID {
            for customerID in try rows.customers(ofAccount: account, app: app) { customers.touch(customerID, app: app) }
        }
        return id
    }

    /// Draws the customers' rows; to be called at the end of a transaction.
    package mutating func finish() throws { try customers.draw(rows) }

    /// - Parameter reportsDamage: whether it throws where a record that would move to another customer cannot be read.
    mutating func merge(
        _ chain: PurchaseChain,
        of change: HistoryChange,
        _ app: Int64,
        reportsDamage: Bool = false
    ) throws -> ChainOutcome {
        var known = try rows.chain(originalTransactionID: chain.originalID, app: app)
        var ownership = try ownership(of: chain, known, change.claim, app)
        let previous = try take(chain, known, ownership, change, app, reportsDamage: reportsDamage)
        if previous != nil {
            known = try rows.chain(originalTransactionID: chain.originalID, app: app)
            ownership = try self.ownership(of: chain, known, change.claim, app)
        }
        let update = ChainUpdate(
            of: known, with: chain, ownership, claimedBy: change.claim, at: change.receivedAt, indexesKnown: indexesKnown)
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
            let news = HistoryChange(partition: change.partition, chains: [], receivedAt: change.receivedAt)
            for successor in try rows.successors(ofOriginalTransactionID: chain.originalID, app: app) {
                _ = try merge(PurchaseChain(originalID: successor), of: news, app)
            }
        }
        return previous.map { .taken(from: $0) } ?? update.outcome
    }

    private func record(_ transactions: [PurchaseTransaction], of originalID: String, _ chain: Int64, _ app: Int64) throws {
        for transaction in transactions {
            // The chain itself is found by the original.
            if ExactText(transaction.id) != ExactText(originalID) { try rows.index(transaction.id, app: app, chain: chain) }
            if let redemption = RedemptionRecord(transaction) { try rows.note(redemption, app: app, chain: chain) }
        }
    }

    /// Keeps the receipts that came along, but none of a subscription of which nothing was written.
    private func keepReceipts(of change: HistoryChange, _ outcomes: [ChainOutcome], _ app: Int64) throws {
        guard !change.receipts.isEmpty else { return }
        let refused = zip(change.chains, outcomes).filter { $1 == .boundToAnotherCustomer }.map { ExactText($0.0.originalID) }
        for receipt in change.receipts where !refused.contains(ExactText(receipt.originalTransactionID)) {
            let id = receipt.originalTransactionID
            guard let stored = try rows.chain(originalTransactionID: id, app: app) else { continue }
            let known = try rows.receipt(ofOriginalTransactionID: id, app: app)
            guard known?.isReplaced(by: receipt) ?? true else { continue }
            try rows.keep(
                receipt, at: change.receivedAt, dueAt: receipt.due(stored.chain, at: change.receivedAt), app: app)
        }
    }

    private func rescheduleReceipt(of row: ChainRow, _ app: Int64) throws {
        let id = row.chain.originalID
        guard let known = try rows.receipt(ofOriginalTransactionID: id, app: app) else { return }
        let due = known.due(row.chain, at: row.updatedAt)
        if due != known.dueAt { try rows.scheduleReceipt(ofOriginalTransactionID: id, at: due, app: app) }
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

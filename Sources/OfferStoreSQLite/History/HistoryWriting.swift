import EligibilityRules
import GRDB
import OfferStore

/// Merges changes on the writer's connection, inside a transaction; `finish` belongs to its end.
struct HistoryWriting {
    /// Another replica that reads may have a clock that is behind the writer's by so much, in ms.
    private static let clockTolerance: Int64 = 600_000

    private let reading: HistoryReading
    private let insert: PreparedStatement
    private let update: PreparedStatement
    private let customers: CustomerTable
    private let notification: PreparedStatement
    private let redemption: PreparedStatement
    private let untied: PreparedStatement
    private var groups: SeenGroupWriting
    private let database: Database
    private let indexesKnown: Bool
    private var renewals = CustomerRenewals()
    /// What is to be entered at the end.
    private(set) var index = TransactionIndex()

    /// - Parameters:
    ///   - hash: the store's, of customers.
    ///   - indexesKnown: whether transactions that are known already are to be indexed, too.
    init(_ database: Database, _ hash: SipHash, indexesKnown: Bool = false) throws {
        self.database = database
        self.indexesKnown = indexesKnown
        reading = try HistoryReading(database, .whole, hash)
        customers = try CustomerTable(database, hash)
        groups = try SeenGroupWriting(database)
        insert = try PreparedStatement(
            database,
            """
            INSERT INTO purchase_chain (original_transaction_id, app, customer_id, app_account_token, is_subscription,
                updated_at, poll_at, gist, record, previous_original_transaction_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        update = try PreparedStatement(
            database,
            """
            UPDATE purchase_chain SET customer_id = ?3, app_account_token = ?4, is_subscription = ?5, updated_at = ?6,
                poll_at = ?7, gist = ?8, record = ?9, previous_original_transaction_id = ?10 WHERE original_transaction_id = ?1 AND app = ?2
            """
        )
        notification = try PreparedStatement(
            database,
            """
            INSERT OR IGNORE INTO notification (key, app, version, type, subtype, original_transaction_id, received_at, body)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        untied = try PreparedStatement(
            database, "UPDATE redemption SET searched_at = NULL WHERE chain = ? AND nonce IS NULL")
        redemption = try PreparedStatement(
            database,
            """
            INSERT OR IGNORE INTO redemption (transaction_id, app, chain, product_id, offer_id, purchased_at)
                VALUES (?, ?, ?, ?, ?, ?)
            """
        )
    }

    /// Merges one change.
    mutating func apply(_ change: HistoryChange) throws -> HistoryOutcome {
        let app = try AppNumbers.number(of: change.bundleID, database)
        if let record = change.notification, try !keep(record, app) {
            // After an import that was cut off the notification may be kept and its transactions not be indexed.
            if indexesKnown { for chain in change.chains { _ = try merge(chain, of: change, app) } }
            return .knownNotification
        }
        if change.isAllOrNothing, let customerID = change.customerID {
            let isOthers = try change.chains.contains { chain in
                let row = try reading.row(originalTransactionID: chain.originalID, app: app)
                return try owner(of: chain, row, app).map { !$0.utf8.elementsEqual(customerID.utf8) } ?? false
            }
            if isOthers { return .merged(change.chains.map { _ in .boundToAnotherCustomer }) }
        }
        var outcomes: [ChainOutcome] = []
        for chain in change.chains {
            outcomes.append(try merge(chain, of: change, app))
            if change.extent != .foreign { try groups.note(chain, app: app) }
        }
        if let customerID = change.customerID, change.extent != .foreign, isOfNoSubscriber(change, outcomes) {
            renewals.touch(customerID, app: app, suppliedAt: change.receivedAt)
        }
        if change.extent == .account, let customerID = try soleOwner(of: change, outcomes, app) {
            renewals.touch(customerID, app: app, completeAt: change.receivedAt)
        }
        return .merged(outcomes)
    }

    /// Draws the customers' rows and enters the transactions into the index; to be called at the end of a transaction.
    mutating func finish() throws {
        try drawCustomers()
        try index.write(database)
    }

    /// Draws the customers' rows alone, where the index is written later.
    mutating func drawCustomers() throws { try renewals.draw(customers) }

    /// Gives a subscription to a customer unless it has one.
    mutating func bind(
        _ originalTransactionID: String,
        to customerID: String,
        bundleID: String,
        now: Instant
    ) throws -> BindingOutcome {
        let app = try AppNumbers.number(of: bundleID, database)
        // Any transaction stands for its subscription; one that is not known yet is taken for the original.
        let known = try reading.row(transactionID: originalTransactionID, app: app)
        let empty = PurchaseChain(originalID: known?.chain.originalID ?? originalTransactionID)
        let change = HistoryChange(bundleID: bundleID, customerID: customerID, chains: [empty], receivedAt: now)
        switch try merge(empty, of: change, app) {
        case .changed: return .bound
        case .unchanged: return .unchanged
        case .boundToAnotherCustomer: return .boundToAnotherCustomer
        }
    }

    private mutating func merge(_ chain: PurchaseChain, of change: HistoryChange, _ app: Int64) throws -> ChainOutcome {
        let known = try reading.row(originalTransactionID: chain.originalID, app: app)
        let owner = try owner(of: chain, known, app)
        if let claimed = change.customerID, let owner, !owner.utf8.elementsEqual(claimed.utf8) {
            return .boundToAnotherCustomer
        }
        let customerID = owner ?? change.customerID
        guard let row = known else {
            try write(chain, customerID: customerID, app, change.receivedAt, with: insert)
            try record(chain.transactions, of: chain, row: database.lastInsertedRowID, app)
            if customerID != nil { try bindSuccessors(of: chain, to: change, app) }
            return .changed
        }
        // A record that cannot be read is replaced by what comes: that is how it is mended.
        let merged = row.chain.merged(with: chain)
        if !row.isDamaged, (customerID == nil) == (row.customerID == nil), isSame(merged, row.chain) {
            if indexesKnown { try record(chain.transactions, of: chain, row: row.id, app) }
            if let claimed = change.customerID { renewals.doubt(claimed, app: app) }
            return .unchanged
        }
        try write(merged, customerID: customerID, app, change.receivedAt, with: update)
        if row.customerID == nil, customerID != nil {
            // What could not be tied for want of a customer can be now.
            untied.bind(row.id, at: 1)
            try untied.run()
            try bindSuccessors(of: merged, to: change, app)
        }
        let indexed = Set(row.chain.transactions.map { ExactText($0.id) })
        let new =
            indexesKnown
            ? merged.transactions
            : merged.transactions.filter { !indexed.contains(ExactText($0.id)) || $0.offer?.kind == .promotional }
        try record(new, of: merged, row: row.id, app)
        return .changed
    }

    /// Whose a chain is already: bound itself, or through the subscription whose place it took.
    private func owner(of chain: PurchaseChain, _ row: HistoryRow?, _ app: Int64) throws -> String? {
        if let owner = row?.customerID { return owner }
        guard let previous = chain.previousOriginalID ?? row?.chain.previousOriginalID else { return nil }
        return try reading.row(originalTransactionID: previous, app: app)?.customerID
    }

    /// What has taken the place of a chain that was just bound is the same customer's.
    private mutating func bindSuccessors(of chain: PurchaseChain, to change: HistoryChange, _ app: Int64) throws {
        for id in try reading.successors(ofOriginalTransactionID: chain.originalID, app: app) {
            let bound = HistoryChange(bundleID: change.bundleID, chains: [], receivedAt: change.receivedAt)
            _ = try merge(PurchaseChain(originalID: id), of: bound, app)
        }
    }

    /// The one customer whose all the purchases of an account are; nil where they are of several, or of nobody.
    private func soleOwner(of change: HistoryChange, _ outcomes: [ChainOutcome], _ app: Int64) throws -> String? {
        if let customerID = change.customerID { return outcomes.contains(.boundToAnotherCustomer) ? nil : customerID }
        let owners = try change.chains.map {
            try reading.row(originalTransactionID: $0.originalID, app: app)?.customerID.map(ExactText.init)
        }
        return Set(owners).count == 1 ? owners[0]?.string : nil
    }

    /// Whether a change has to be noted as supplied since no subscription of the customer's stands for it.
    private func isOfNoSubscriber(_ change: HistoryChange, _ outcomes: [ChainOutcome]) -> Bool {
        // What belongs to somebody else says nothing, nor does a renewal without its purchase.
        let isAboutOthers = !outcomes.isEmpty && outcomes.allSatisfy { $0 == .boundToAnotherCustomer }
        return !isAboutOthers && !change.chains.contains { $0.concernsSubscriptions || $0.transactions.isEmpty }
    }

    // Texts that Swift takes for one may have different bytes, and of these the later ones stay.
    private func isSame(_ merged: PurchaseChain, _ chain: PurchaseChain) -> Bool {
        merged == chain && ChainRecord.bytes(of: merged) == ChainRecord.bytes(of: chain)
    }

    private mutating func write(
        _ chain: PurchaseChain,
        customerID: String?,
        _ app: Int64,
        _ now: Instant,
        with statement: PreparedStatement
    ) throws {
        statement.bind(id: chain.originalID, at: 1)
        statement.bind(app, at: 2)
        statement.bind(customerID, at: 3)
        statement.bind(chain.appAccountToken?.value.string, at: 4)
        statement.bind(chain.concernsSubscriptions ? 1 : 0, at: 5)
        statement.bind(now.milliseconds, at: 6)
        statement.bind(PollSchedule.next(for: chain, after: now)?.milliseconds, at: 7)
        statement.bind(ChainRecord.bytes(of: chain.gist(from: now.advanced(by: -Self.clockTolerance))), at: 8)
        statement.bind(ChainRecord.bytes(of: chain), at: 9)
        if let previous = chain.previousOriginalID { statement.bind(id: previous, at: 10) }
        try statement.run()
        if let customerID { renewals.touch(customerID, app: app) }
    }

    private mutating func record(
        _ transactions: [PurchaseTransaction],
        of chain: PurchaseChain,
        row: Int64,
        _ app: Int64
    ) throws {
        for transaction in transactions {
            if ExactText(transaction.id) != ExactText(chain.originalID) { index.add(transaction.id, app: app, chain: row) }
            guard let offer = transaction.offer, offer.kind == .promotional, let offerID = offer.id else { continue }
            redemption.bind(id: transaction.id, at: 1)
            redemption.bind(app, at: 2)
            redemption.bind(row, at: 3)
            redemption.bind(transaction.productID, at: 4)
            redemption.bind(offerID, at: 5)
            redemption.bind(transaction.purchasedAt.milliseconds, at: 6)
            try redemption.run()
        }
    }

    /// False if it was there already.
    private func keep(_ record: NotificationRecord, _ app: Int64) throws -> Bool {
        notification.bind(record.key, at: 1)
        notification.bind(app, at: 2)
        notification.bind(Int64(record.version), at: 3)
        notification.bind(record.type, at: 4)
        notification.bind(record.subtype, at: 5)
        if let id = record.originalTransactionID { notification.bind(id: id, at: 6) }
        notification.bind(record.receivedAt.milliseconds, at: 7)
        notification.bind(record.body, at: 8)
        try notification.run()
        return notification.changes > 0
    }
}

import EligibilityRules
import GRDB
import OfferStore

/// The rows of histories on the writer's connection, inside a transaction.
final class SQLiteHistoryRows: HistoryRows {
    /// What is to be entered at the end.
    private(set) var index = TransactionIndex()
    private let database: Database
    private let reading: HistoryReading
    private let customers: CustomerTable
    private let insert: PreparedStatement
    private let update: PreparedStatement
    private let notification: PreparedStatement
    private let redemption: PreparedStatement
    private let untied: PreparedStatement
    private let ofAccount: PreparedStatement
    private let changed: PreparedStatement
    private let selectGroup: PreparedStatement
    private let upsertGroup: PreparedStatement
    private let receipts: ReceiptTable

    /// - Parameter hash: the store's, of customers.
    init(_ database: Database, _ hash: SipHash) throws {
        self.database = database
        reading = try HistoryReading(database, .whole, hash)
        customers = try CustomerTable(database, hash)
        receipts = try ReceiptTable(database)
        insert = try PreparedStatement(
            database,
            """
            INSERT INTO purchase_chain (original_transaction_id, app, customer_id, app_account_token, is_subscription,
                updated_at, poll_at, gist, record, previous_original_transaction_id, app_transaction_id, binding_proof)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        update = try PreparedStatement(
            database,
            """
            UPDATE purchase_chain SET customer_id = ?3, app_account_token = ?4, is_subscription = ?5, updated_at = ?6,
                poll_at = ?7, gist = ?8, record = ?9, previous_original_transaction_id = ?10, app_transaction_id = ?11,
                binding_proof = ?12
                WHERE original_transaction_id = ?1 AND app = ?2
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
        changed = try PreparedStatement(database, "UPDATE redemption SET version = version + 1 WHERE chain = ?")
        redemption = try PreparedStatement(
            database,
            """
            INSERT OR IGNORE INTO redemption (transaction_id, app, chain, product_id, offer_id, purchased_at)
                VALUES (?, ?, ?, ?, ?, ?)
            """
        )
        ofAccount = try PreparedStatement(
            database,
            """
            SELECT DISTINCT customer_id FROM purchase_chain
            WHERE app_transaction_id = ? AND app = ? AND is_subscription = 1 AND customer_id IS NOT NULL
            """
        )
        selectGroup = try PreparedStatement(
            database, "SELECT group_id, purchased_at FROM seen_group WHERE app = ? AND product_id = ?")
        upsertGroup = try PreparedStatement(
            database,
            """
            INSERT INTO seen_group (app, product_id, group_id, purchased_at) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE
            SET group_id = excluded.group_id, purchased_at = excluded.purchased_at
            """
        )
    }

    /// Enters the transactions into the index; to be called at the end of a transaction.
    func writeIndex() throws { try index.write(database) }

    func number(ofApp partition: AppPartition) throws -> Int64 { try AppNumbers.number(of: partition, database) }

    func chain(originalTransactionID id: String, app: Int64) throws -> StoredChain? {
        try reading.chain(originalTransactionID: id, app: app)
    }

    func chain(transactionID id: String, app: Int64) throws -> StoredChain? {
        try reading.chain(transactionID: id, app: app)
    }

    func successors(ofOriginalTransactionID id: String, app: Int64) throws -> [String] {
        try reading.successors(ofOriginalTransactionID: id, app: app)
    }

    func customers(ofAccount appTransactionID: String, app: Int64) throws -> [String] {
        defer { ofAccount.reset() }
        ofAccount.bind(id: appTransactionID, at: 1)
        ofAccount.bind(app, at: 2)
        var customers: [String] = []
        while try ofAccount.step() { customers.append(ofAccount.text(0)) }
        return customers
    }

    func customer(named name: String, app: Int64) throws -> String { try customers.customer(named: name, app: app) }

    func chains(ofCustomer customerID: String, app: Int64) throws -> [StoredChain] {
        try reading.chains(ofCustomer: customerID, app: app)
    }

    func chains(ofToken token: String, app: Int64) throws -> [StoredChain] { try reading.chains(ofToken: token, app: app) }

    func aliases(of customerID: String, app: Int64) throws -> [String] { try customers.aliases(of: customerID, app: app) }

    func times(ofCustomer customerID: String, app: Int64) throws -> CustomerTimes? {
        try customers.times(customerID, app: app)
    }

    func alias(_ name: String, of customerID: String, app: Int64, _ times: CustomerTimes) throws {
        try customers.alias(name, of: customerID, app: app, times)
    }

    func customer(_ customerID: String, app: Int64) throws -> StoredHistory? {
        try customers.history(customerID, app: app)
    }

    func draw(_ customerID: String, app: Int64, _ times: CustomerTimes) throws {
        try customers.draw(customerID, app: app, times)
    }

    func forget(_ customerID: String, app: Int64) throws -> Bool { try customers.remove(customerID, app: app) }

    func write(_ row: ChainRow, over id: Int64?, app: Int64) throws -> Int64 {
        let statement = id == nil ? insert : update
        statement.bind(id: row.chain.originalID, at: 1)
        statement.bind(app, at: 2)
        statement.bind(row.owner?.customerID, at: 3)
        statement.bind(row.chain.accountToken, at: 4)
        statement.bind(row.isSubscription ? 1 : 0, at: 5)
        statement.bind(row.updatedAt.milliseconds, at: 6)
        statement.bind(row.pollAt?.milliseconds, at: 7)
        statement.bind(row.gist, at: 8)
        statement.bind(row.record, at: 9)
        if let previous = row.chain.previousOriginalID { statement.bind(id: previous, at: 10) }
        if let account = row.chain.appTransactionID { statement.bind(id: account, at: 11) }
        statement.bind(row.owner?.proof.rawValue, at: 12)
        try statement.run()
        guard let id else { return database.lastInsertedRowID }
        // Limits may know of it by another account, or not that it was refunded.
        changed.bind(id, at: 1)
        try changed.run()
        return id
    }

    func index(_ transactionID: String, app: Int64, chain: Int64) { index.add(transactionID, app: app, chain: chain) }

    func note(_ record: RedemptionRecord, app: Int64, chain: Int64) throws {
        redemption.bind(id: record.transactionID, at: 1)
        redemption.bind(app, at: 2)
        redemption.bind(chain, at: 3)
        redemption.bind(record.productID, at: 4)
        redemption.bind(record.offerID, at: 5)
        redemption.bind(record.purchasedAt.milliseconds, at: 6)
        try redemption.run()
    }

    func searchAgain(chain: Int64) throws {
        untied.bind(chain, at: 1)
        try untied.run()
    }

    func keep(_ record: NotificationRecord, app: Int64) throws -> Bool {
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

    func blankNotifications(ofOriginalTransactionID id: String, app: Int64) throws -> Int {
        let blank = try PreparedStatement(
            database,
            "UPDATE notification SET body = x'' WHERE original_transaction_id = ? AND app = ? AND length(body) > 0")
        blank.bind(id: id, at: 1)
        blank.bind(app, at: 2)
        try blank.run()
        return blank.changes
    }

    func group(ofProduct productID: String, app: Int64) throws -> SeenGroup? {
        defer { selectGroup.reset() }
        selectGroup.bind(app, at: 1)
        selectGroup.bind(productID, at: 2)
        guard try selectGroup.step() else { return nil }
        return SeenGroup(
            productID: productID, groupID: selectGroup.text(0),
            purchasedAt: Instant(milliseconds: selectGroup.number(1)))
    }

    func note(_ group: SeenGroup, app: Int64) throws {
        upsertGroup.bind(app, at: 1)
        upsertGroup.bind(group.productID, at: 2)
        upsertGroup.bind(group.groupID, at: 3)
        upsertGroup.bind(group.purchasedAt.milliseconds, at: 4)
        try upsertGroup.run()
    }

    func receipt(ofOriginalTransactionID id: String, app: Int64) throws -> ReceiptStanding? {
        try receipts.standing(ofOriginalTransactionID: id, app: app)
    }

    func keep(_ receipt: KeptReceipt, at now: Instant, dueAt: Instant?, app: Int64) throws {
        try receipts.keep(receipt, at: now, dueAt: dueAt, app: app)
    }

    func scheduleReceipt(ofOriginalTransactionID id: String, at instant: Instant?, app: Int64) throws {
        try receipts.schedule(originalTransactionID: id, at: instant, app: app)
    }
}

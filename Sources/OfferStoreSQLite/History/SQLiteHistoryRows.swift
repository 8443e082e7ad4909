import EligibilityRules
import GRDB
package import OfferStore
import OfferStoreSQL

/// The rows of histories on the writer's connection, within a transaction.
package final class SQLiteHistoryRows: HistoryRows {
    /// Index entries to write at the end.
    private(set) var index = TransactionIndex()
    package let keepsEvents: Bool
    private let database: Database
    private let reading: HistoryReading
    private let customers: CustomerTable
    private let insert: PreparedStatement
    private let update: PreparedStatement
    private let notification: PreparedStatement
    private let redemption: PreparedStatement
    private let untied: PreparedStatement
    private let ownersOfAccount: PreparedStatement
    private let changed: PreparedStatement
    private let selectGroup: PreparedStatement
    private let upsertGroup: PreparedStatement
    private var apps: [AppPartition: Int64] = [:]

    /// - Parameter file: the file that the connection belongs to.
    init(_ database: Database, _ file: SQLiteHistoryFile) throws {
        let hash = file.customerHash
        self.database = database
        keepsEvents = file.keepsEvents
        reading = try HistoryReading(database, .whole, hash)
        customers = try CustomerTable(database, hash)
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
        ownersOfAccount = try PreparedStatement(
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

    /// Writes the index entries. Call it at the end of a transaction.
    func writeIndex() throws { try index.write(database) }

    package func number(ofApp partition: AppPartition) throws -> Int64 {
        if let number = apps[partition] { return number }
        let number = try AppNumbers.number(of: partition, database)
        apps[partition] = number
        return number
    }

    package func find(_ keys: HistoryKeys) throws -> HistoryFacts {
        var facts = HistoryFacts()
        for key in keys.names { facts.names[key] = try customers.customer(named: key) }
        for key in keys.chains { facts.chains[key] = try reading.chain(originalTransactionID: key) }
        for key in keys.transactions { facts.transactions[key] = try reading.chain(transactionID: key) }
        for key in keys.successors { facts.successors[key] = try reading.chains(.previous, key) }
        for key in keys.tokens { facts.tokens[key] = try reading.chains(.token, key) }
        for key in keys.customers { facts.customers[key] = try reading.chains(.customer, key) }
        for key in keys.receipts { facts.receipts[key] = try receipt(of: key) }
        for key in keys.products { facts.groups[key] = try group(ofProduct: key) }
        for key in keys.customerSummaries { facts.customerSummaries[key] = try customers.record(key) }
        for key in keys.accounts { try addOwners(ofAccount: key, to: &facts.owners) }
        return facts
    }

    private func receipt(of key: HistoryKey) throws -> ReceiptState? {
        try database.run(
            "SELECT \(ReceiptState.columns) FROM receipt WHERE app = $1 AND name = $2 AND is_unverified = $3", .number(key.app),
            .bytes(ReceiptName.subscription(key.string).bytes), .flag(false)
        ).first { ReceiptState($0) }
    }

    private func addOwners(ofAccount key: HistoryKey, to owners: inout Set<HistoryKey>) throws {
        defer { ownersOfAccount.reset() }
        ownersOfAccount.bind(id: key.string, at: 1)
        ownersOfAccount.bind(key.app, at: 2)
        while try ownersOfAccount.step() { owners.insert(HistoryKey(key.app, ownersOfAccount.text(0))) }
    }

    private func group(ofProduct key: HistoryKey) throws -> SeenGroup? {
        defer { selectGroup.reset() }
        selectGroup.bind(key.app, at: 1)
        selectGroup.bind(key.string, at: 2)
        guard try selectGroup.step() else { return nil }
        return SeenGroup(
            productID: key.string, groupID: selectGroup.text(0),
            purchasedAt: Instant(milliseconds: selectGroup.number(1)))
    }

    package func keep(_ notifications: [(key: NotificationKey, record: NotificationRecord)]) throws -> Set<NotificationKey> {
        var new: Set<NotificationKey> = []
        for (key, record) in notifications where try keep(record, app: key.app) { new.insert(key) }
        return new
    }

    package func rebuildSummaries(_ customers: [HistoryKey: CustomerTimes]) throws {
        for (customer, times) in customers { try self.customers.rebuildSummary(customer, times) }
    }

    package func alias(_ name: HistoryKey, of customerID: String, _ times: CustomerTimes) throws {
        try customers.alias(name, of: customerID, times)
    }

    package func aliases(of customer: HistoryKey) throws -> [String] { try customers.aliases(of: customer) }

    package func forget(_ customers: [HistoryKey]) throws -> Bool {
        for customer in customers {
            try database.forgetPurchaseEvents(of: customer)
            try database.forgetConsent(of: customer)
        }
        return try customers.reduce(false) { wasKnown, customer in try self.customers.remove(customer) || wasKnown }
    }

    package func write(_ news: HistoryNews) throws {
        for chain in news.chains { try write(chain) }
        for (event, recordedAt) in news.events { try event.insert(recordedAt: recordedAt, database) }
        for (app, request) in news.refunds { try request.insert(app: app, database) }
        for (key, group) in news.groups { try write(group, app: key.app) }
        for (key, receipt) in news.receipts { try receipt.write(of: key, database) }
    }

    private func write(_ news: ChainNews) throws {
        let app = news.key.app
        guard let id = try news.row.map({ try write($0, over: news.id, app: app) }) ?? news.id else { return }
        if news.isSearchedAgain {
            untied.bind(id, at: 1)
            try untied.run()
        }
        for transaction in news.transactions { index.add(transaction, app: app, chain: id) }
        for redemption in news.redemptions { try note(redemption, app: app, chain: id) }
    }

    private func write(_ row: ChainRow, over id: Int64?, app: Int64) throws -> Int64 {
        let statement = id == nil ? insert : update
        statement.bind(id: row.chain.originalID, at: 1)
        statement.bind(app, at: 2)
        statement.bind(row.owner?.customerID, at: 3)
        statement.bind(row.chain.accountToken, at: 4)
        statement.bind(row.isSubscription ? 1 : 0, at: 5)
        statement.bind(row.updatedAt.milliseconds, at: 6)
        statement.bind(row.pollAt?.milliseconds, at: 7)
        statement.bind(row.summary, at: 8)
        statement.bind(row.record, at: 9)
        if let previous = row.chain.previousOriginalID { statement.bind(id: previous, at: 10) }
        if let account = row.chain.appTransactionID { statement.bind(id: account, at: 11) }
        statement.bind(row.owner?.proof.rawValue, at: 12)
        try statement.run()
        guard let id else { return database.lastInsertedRowID }
        // The redemptions are to be counted again, because limits may have counted them for another account, or before a refund.
        changed.bind(id, at: 1)
        try changed.run()
        return id
    }

    private func note(_ record: RedemptionRecord, app: Int64, chain: Int64) throws {
        for id in record.otherIDs where try isNoted(id, app: app) { return }
        redemption.bind(id: record.transactionID, at: 1)
        redemption.bind(app, at: 2)
        redemption.bind(chain, at: 3)
        redemption.bind(record.productID, at: 4)
        redemption.bind(record.offerID, at: 5)
        redemption.bind(record.purchasedAt.milliseconds, at: 6)
        try redemption.run()
    }

    private func isNoted(_ id: String, app: Int64) throws -> Bool {
        let statement = try database.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM redemption WHERE transaction_id = ? AND app = ?)")
        return try Bool.fetchOne(statement, arguments: [id.storedID, app])!
    }

    private func keep(_ record: NotificationRecord, app: Int64) throws -> Bool {
        notification.bind(record.key, at: 1)
        notification.bind(app, at: 2)
        notification.bind(Int64(record.version), at: 3)
        notification.bind(record.type, at: 4)
        notification.bind(record.subtype, at: 5)
        notification.bind(record.originalTransactionID, at: 6)
        notification.bind(record.receivedAt.milliseconds, at: 7)
        // Bound without a copy, because a notification may have 16 MiB.
        return try record.body.withUnsafeBytes { body in
            notification.bind(inPlace: body, at: 8)
            try notification.run()
            return notification.changes > 0
        }
    }

    package func blankNotifications(ofChains keys: Set<HistoryKey>) throws -> Int {
        try keys.reduce(0) { try $0 + database.blankNotifications(ofChain: $1) }
    }

    private func write(_ group: SeenGroup, app: Int64) throws {
        upsertGroup.bind(app, at: 1)
        upsertGroup.bind(group.productID, at: 2)
        upsertGroup.bind(group.groupID, at: 3)
        upsertGroup.bind(group.purchasedAt.milliseconds, at: 4)
        try upsertGroup.run()
    }
}

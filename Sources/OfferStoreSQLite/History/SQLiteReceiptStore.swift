public import EligibilityRules
import GRDB
import GRDBSQLite
public import OfferStore

/// Receipts in SQLite: one row for each subscription, and one for each unverified receipt.
public struct SQLiteReceiptStore: ReceiptStore {
    private let store: SQLiteStore

    /// Shares the store's writer with all other stores.
    public init(_ file: SQLiteHistoryFile) { store = file.store }

    /// Counts by the index of names, in which blobs follow all other values.
    public func keep(_ receipt: UnverifiedReceipt, limit: Int) async throws(StoreError) {
        try await store.write("keep a receipt") { database in
            let app = try AppNumbers.number(of: receipt.partition, database)
            let statement = try PreparedStatement(
                database,
                """
                INSERT OR REPLACE INTO receipt (app, name, customer_id, kept_at, shown_at, due_at, failures, reason, sealed)
                    VALUES (?1, ?2, ?3, ?4, ?4, ?5, 1, ?6, ?7)
                """
            )
            statement.bind(app, at: 1)
            statement.bind(receipt.digest, at: 2)
            statement.bind(receipt.customerID, at: 3)
            statement.bind(receipt.keptAt.milliseconds, at: 4)
            statement.bind(receipt.dueAt?.milliseconds, at: 5)
            statement.bind(receipt.reason, at: 6)
            statement.bind(receipt.sealed, at: 7)
            try statement.run()
            let count = try Int.fetchOne(
                database, sql: "SELECT count(*) FROM receipt WHERE app = ? AND name >= x''", arguments: [app])!
            guard count > limit else { return }
            try database.execute(
                sql: """
                    DELETE FROM receipt WHERE rowid IN
                        (SELECT rowid FROM receipt WHERE app = ? AND name >= x'' ORDER BY kept_at LIMIT ?)
                    """,
                arguments: [app, count - limit])
        }
    }

    /// Reads and defers in one transaction, so that no other caller gets the same receipts.
    public func claim(
        partition: AppPartition,
        dueAt now: Instant,
        until: Instant,
        limit: Int
    ) async throws(StoreError) -> [ReceiptRecord] {
        guard try await hasDue(partition, now) else { return [] }
        return try await store.write("take due receipts") { database in
            guard let app = try AppNumbers.existing(partition, database) else { return [] }
            let select = try PreparedStatement(
                database,
                """
                SELECT name, customer_id, sealed, kept_at, failures, reason FROM receipt
                    WHERE app = ? AND due_at <= ? ORDER BY due_at LIMIT ?
                """
            )
            select.bind(app, at: 1)
            select.bind(now.milliseconds, at: 2)
            select.bind(Int64(limit), at: 3)
            var records: [ReceiptRecord] = []
            while try select.step() { records.append(ReceiptRecord(select, partition: partition)) }
            select.reset()
            let update = try PreparedStatement(database, "UPDATE receipt SET due_at = ? WHERE app = ? AND name = ?")
            for record in records {
                update.bind(until.milliseconds, at: 1)
                update.bind(app, at: 2)
                update.bind(record.name, at: 3)
                try update.run()
            }
            return records
        }
    }

    // Reads beside the writer: nearly every round finds nothing.
    private func hasDue(_ partition: AppPartition, _ now: Instant) async throws(StoreError) -> Bool {
        try await store.read("look for due receipts") { database in
            guard let app = try AppNumbers.existing(partition, database) else { return false }
            return try Bool.fetchOne(
                database, sql: "SELECT EXISTS (SELECT 1 FROM receipt WHERE app = ? AND due_at <= ?)",
                arguments: [app, now.milliseconds])!
        }
    }

    /// Identifies the receipt by the instant at which it was stored.
    public func note(_ failure: ReceiptFailure, of record: ReceiptRecord) async throws(StoreError) {
        try await store.write("note a failure about a receipt") { database in
            guard let app = try AppNumbers.existing(record.partition, database) else { return }
            let statement = try PreparedStatement(
                database,
                "UPDATE receipt SET reason = ?, failures = ?, due_at = ? WHERE app = ? AND name = ? AND kept_at = ?")
            statement.bind(failure.reason, at: 1)
            statement.bind(Int64(failure.failures), at: 2)
            statement.bind(failure.dueAt?.milliseconds, at: 3)
            statement.bind(app, at: 4)
            statement.bind(record.name, at: 5)
            statement.bind(record.keptAt.milliseconds, at: 6)
            try statement.run()
        }
    }

    /// Uses the table's key. Writes nothing if there is nothing to remove.
    public func remove(_ name: ReceiptName, partition: AppPartition) async throws(StoreError) {
        let isThere = try await store.read("look for a receipt") { database in
            guard let app = try AppNumbers.existing(partition, database) else { return false }
            let statement = try PreparedStatement(database, "SELECT 1 FROM receipt WHERE app = ? AND name = ?")
            defer { statement.reset() }
            statement.bind(app, at: 1)
            statement.bind(name, at: 2)
            return try statement.step()
        }
        guard isThere else { return }
        try await store.write("remove a receipt") { database in
            guard let app = try AppNumbers.existing(partition, database) else { return }
            let statement = try PreparedStatement(database, "DELETE FROM receipt WHERE app = ? AND name = ?")
            statement.bind(app, at: 1)
            statement.bind(name, at: 2)
            try statement.run()
        }
    }

    /// Uses the table's key, and the indexes on chains and on customers' receipts.
    public func forget(_ ids: Set<String>, partition: AppPartition) async throws(StoreError) -> Int {
        try await store.write("forget receipts") { database in
            guard let app = try AppNumbers.existing(partition, database) else { return 0 }
            let named = try PreparedStatement(database, "DELETE FROM receipt WHERE app = ? AND name = ?")
            let chain = try PreparedStatement(
                database,
                """
                DELETE FROM receipt WHERE app = ?1 AND name IN (SELECT original_transaction_id FROM purchase_chain
                    WHERE id = (SELECT chain FROM purchase_transaction WHERE transaction_id = ?2 AND app = ?1))
                """
            )
            let owned = try PreparedStatement(
                database,
                """
                DELETE FROM receipt WHERE app = ?1 AND (customer_id = ?2 OR name IN
                    (SELECT original_transaction_id FROM purchase_chain WHERE app = ?1 AND customer_id = ?2
                    UNION ALL SELECT original_transaction_id FROM purchase_chain WHERE app = ?1 AND app_account_token = ?2))
                """
            )
            var count = 0
            for id in ids {
                for statement in [named, chain] {
                    statement.bind(app, at: 1)
                    statement.bind(id: id, at: 2)
                    try statement.run()
                    count += Int(statement.changes)
                }
                owned.bind(app, at: 1)
                owned.bind(id, at: 2)
                try owned.run()
                count += Int(owned.changes)
            }
            return count
        }
    }

    /// Uses the index of names.
    public func pruneUnverified(before instant: Instant, limit: Int) async throws(StoreError) -> Int {
        try await store.write("remove receipts that were never verified") { database in
            try database.execute(
                sql: """
                    DELETE FROM receipt WHERE rowid IN (SELECT receipt.rowid FROM app CROSS JOIN receipt ON receipt.app = app.number
                        WHERE name >= x'' AND kept_at < ? LIMIT ?)
                    """,
                arguments: [instant.milliseconds, limit])
            return database.changesCount
        }
    }

    /// Uses the index on reasons.
    public func counts() async throws(StoreError) -> [ReceiptCount] {
        try await store.scan("count receipts") { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT bundle_id, reason, count(*) FROM receipt JOIN app ON app.number = receipt.app
                        GROUP BY receipt.app, reason ORDER BY bundle_id, reason
                    """)
            return rows.map { ReceiptCount(partition: AppPartition(name: $0[0]), reason: $0[1], count: $0[2]) }
        }
    }

    /// Scans the whole table.
    public func counts(byPrefix length: Int) async throws(StoreError) -> [[UInt8]: Int] {
        try await store.scan("count receipts by key") { database in
            let statement = try PreparedStatement(
                database, "SELECT substr(sealed, 1, ?) AS prefix, count(*) FROM receipt GROUP BY prefix")
            defer { statement.reset() }
            statement.bind(Int64(length), at: 1)
            var counts: [[UInt8]: Int] = [:]
            while try statement.step() { counts[statement.withBytes(0) { Array($0) }] = Int(statement.number(1)) }
            return counts
        }
    }
}

extension PreparedStatement {
    fileprivate func bind(_ name: ReceiptName, at parameter: Int32) {
        switch name {
        case .subscription(let id): bind(id: id, at: parameter)
        case .unverified(let digest): bind(digest, at: parameter)
        }
    }
}

extension ReceiptRecord {
    fileprivate init(_ row: PreparedStatement, partition: AppPartition) {
        let isUnverified = sqlite3_column_type(row.handle, 0) == SQLITE_BLOB
        self.init(
            partition: partition,
            name: isUnverified ? .unverified(row.withBytes(0) { Array($0) }) : .subscription(row.text(0)),
            customerID: row.optionalText(1),
            sealed: row.withBytes(2) { Array($0) },
            keptAt: Instant(milliseconds: row.number(3)),
            failures: Int(row.number(4)),
            reason: row.optionalText(5)
        )
    }
}

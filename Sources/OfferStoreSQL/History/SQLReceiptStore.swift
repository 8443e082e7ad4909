package import EligibilityRules
package import OfferStore

/// Receipts: one row for each subscription, and one for each unverified receipt.
package struct SQLReceiptStore<Store: SQLStore>: ReceiptStore {
    /// Returns the original transactions of an app's subscriptions that some ids name: as transactions, customers or account
    /// tokens.
    package typealias Subscriptions = @Sendable (Set<String>, _ app: Int64, Store.Transaction) throws -> [String]

    private let store: Store
    private let subscriptions: Subscriptions

    package init(_ store: Store, subscriptions: @escaping Subscriptions) {
        self.store = store
        self.subscriptions = subscriptions
    }

    /// Counts the app's unverified receipts by the table's key.
    package func keep(_ receipt: UnverifiedReceipt, limit: Int) async throws(StoreError) {
        try await store.write("keep a receipt", .serializable) { transaction in
            let app = try transaction.takeNumber(of: receipt.partition)
            try transaction.enqueue(
                """
                INSERT INTO receipt (app, name, is_unverified, customer_id, kept_at, shown_at, due_at, failures, reason, sealed)
                VALUES ($1, $2, $3, $4, $5, $5, $6, 1, $7, $8)
                ON CONFLICT (app, is_unverified, name) DO UPDATE
                SET customer_id = excluded.customer_id, kept_at = excluded.kept_at, shown_at = excluded.shown_at,
                    due_at = excluded.due_at, failures = 1, reason = excluded.reason, sealed = excluded.sealed
                """,
                [
                    .number(app), .bytes(receipt.digest), .flag(true), .text(receipt.customerID), .instant(receipt.keptAt),
                    .instant(receipt.dueAt), .text(receipt.reason), .bytes(receipt.sealed),
                ])
            let count = try transaction.run(
                "SELECT count(*) FROM receipt WHERE app = $1 AND is_unverified = $2", .number(app), .flag(true)
            ).first { $0.number(0) }!
            guard count > limit else { return }
            try transaction.enqueue(
                """
                DELETE FROM receipt WHERE app = $1 AND is_unverified = $2 AND name IN (
                    SELECT name FROM receipt WHERE app = $1 AND is_unverified = $2 ORDER BY kept_at LIMIT $3)
                """, .number(app), .flag(true), .number(count - Int64(limit)))
        }
    }

    /// Reads and defers in one transaction. Skips rows that another process is claiming.
    package func claim(
        partition: AppPartition,
        dueAt now: Instant,
        until: Instant,
        limit: Int
    ) async throws(StoreError) -> [ReceiptRecord] {
        if Store.Transaction.dialect.hasOneWriter {
            // Nearly every round finds nothing due, and a read does not delay writes.
            let isDue = try await store.read("look for due receipts") { transaction in
                guard let app = try transaction.number(of: partition) else { return false }
                let sql = "SELECT 1 FROM receipt WHERE app = $1 AND due_at <= $2 LIMIT 1"
                return try transaction.run(sql, .number(app), .instant(now)).count > 0
            }
            guard isDue else { return [] }
        }
        return try await store.write("take due receipts", .latest) { transaction in
            guard let app = try transaction.number(of: partition) else { return [] }
            let records = try transaction.run(
                """
                SELECT is_unverified, name, customer_id, sealed, kept_at, failures, reason FROM receipt
                WHERE app = $1 AND due_at <= $2 ORDER BY due_at LIMIT $3 \(Store.Transaction.dialect.skippingLocked)
                """, .number(app), .instant(now), .number(Int64(limit))
            ).map { ReceiptRecord($0, partition) }
            for record in records {
                try transaction.enqueue(
                    "UPDATE receipt SET due_at = $1 WHERE \(Self.isNamed)",
                    [.instant(until)] + Self.key(record.name, app))
            }
            return records
        }
    }

    private static var isNamed: String { "app = $2 AND is_unverified = $3 AND name = $4" }

    private static func key(_ name: ReceiptName, _ app: Int64) -> [SQLValue] {
        [.number(app), .flag(name.isUnverified), .bytes(name.bytes)]
    }

    /// Identifies the receipt by the instant at which it was stored.
    package func note(_ failure: ReceiptFailure, of record: ReceiptRecord) async throws(StoreError) {
        try await store.write("note a failure about a receipt", .serializable) { transaction in
            guard let app = try transaction.number(of: record.partition) else { return }
            try transaction.enqueue(
                "UPDATE receipt SET due_at = $1, reason = $5, failures = $6 WHERE \(Self.isNamed) AND kept_at = $7",
                [.instant(failure.dueAt)] + Self.key(record.name, app)
                    + [.text(failure.reason), .number(Int64(failure.failures)), .instant(record.keptAt)])
        }
    }

    /// Finds rows by the table's key. Writes nothing if there is nothing to remove.
    package func remove(_ name: ReceiptName, partition: AppPartition) async throws(StoreError) {
        let isThere = try await store.read("look for a receipt") { transaction in
            guard let app = try transaction.number(of: partition) else { return false }
            let sql = "SELECT 1 FROM receipt WHERE app = $1 AND is_unverified = $2 AND name = $3"
            return try transaction.run(sql, Self.key(name, app)).count > 0
        }
        guard isThere else { return }
        try await store.write("remove a receipt", .serializable) { transaction in
            guard let app = try transaction.number(of: partition) else { return }
            try transaction.enqueue(
                "DELETE FROM receipt WHERE app = $1 AND is_unverified = $2 AND name = $3", Self.key(name, app))
        }
    }

    /// Finds rows by the table's key, and the indexes on chains and on customers' receipts.
    package func forget(_ ids: Set<String>, partition: AppPartition) async throws(StoreError) -> Int {
        try await store.write("forget receipts", .serializable) { [subscriptions] transaction in
            guard let app = try transaction.number(of: partition) else { return 0 }
            let names = ids.union(try subscriptions(ids, app, transaction)).sorted()
            let deletions = names.map { name in
                SQLStatement(
                    "DELETE FROM receipt WHERE app = $1 AND is_unverified = $2 AND name = $3",
                    Self.key(.subscription(name), app))
            }
            let owned = SQLStatement(
                "DELETE FROM receipt WHERE app = $1 AND customer_id \(Store.Transaction.dialect.isAny("$2"))",
                [.number(app), .texts(ids.sorted())])
            return try transaction.results(of: deletions + [owned]).reduce(0) { $0 + $1.changes }
        }
    }

    /// Finds rows by the index on ages.
    package func pruneUnverified(before instant: Instant, limit: Int) async throws(StoreError) -> Int {
        try await store.write("remove receipts that were never verified", .serializable) { transaction in
            try transaction.run(
                """
                DELETE FROM receipt WHERE (app, is_unverified, name) IN (
                    SELECT app, is_unverified, name FROM receipt WHERE is_unverified AND kept_at < $1 LIMIT $2)
                """, .instant(instant), .number(Int64(limit))
            ).changes
        }
    }

    /// Counts the entries of the index on reasons.
    package func counts() async throws(StoreError) -> [ReceiptCount] {
        try await store.scan("count receipts") { transaction in
            try transaction.run(
                """
                SELECT app.name, reason, count(*) FROM receipt JOIN app ON app.number = receipt.app
                GROUP BY app.name, reason ORDER BY app.name, reason NULLS FIRST
                """
            ).map {
                ReceiptCount(partition: AppPartition(name: $0.text(0)), reason: $0.optionalText(1), count: Int($0.number(2)))
            }
        }
    }

    /// Scans the whole table.
    package func counts(byPrefix length: Int) async throws(StoreError) -> [[UInt8]: Int] {
        try await store.scan("count receipts by key") { transaction in
            let counts = try transaction.run(
                "SELECT substr(sealed, 1, CAST($1 AS integer)) AS prefix, count(*) FROM receipt GROUP BY prefix",
                .number(Int64(length))
            ).map { ($0.bytes(0), Int($0.number(1))) }
            return Dictionary(uniqueKeysWithValues: counts)
        }
    }
}

extension ReceiptNews {
    /// Writes the news of a subscription's receipt.
    ///
    /// - Parameter key: the subscription's original transaction.
    package func write(of key: HistoryKey, _ transaction: some SQLTransaction) throws {
        let name: [SQLValue] = [.number(key.app), .bytes(ReceiptName.subscription(key.string).bytes), .flag(false)]
        switch self {
        case .kept(let receipt, let now, let dueAt):
            try transaction.enqueue(
                """
                INSERT INTO receipt (app, name, is_unverified, kept_at, shown_at, verified_at, due_at, sealed)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
                ON CONFLICT (app, is_unverified, name) DO UPDATE
                SET kept_at = excluded.kept_at, shown_at = excluded.shown_at, verified_at = excluded.verified_at,
                    due_at = excluded.due_at, failures = 0, reason = NULL, sealed = excluded.sealed
                """,
                name + [
                    .instant(now), .instant(receipt.shownAt), .instant(receipt.verifiedAt), .instant(dueAt),
                    .bytes(receipt.sealed),
                ])
        case .scheduled(let instant):
            try transaction.enqueue(
                "UPDATE receipt SET due_at = $4 WHERE app = $1 AND name = $2 AND is_unverified = $3", name + [.instant(instant)])
        }
    }
}

extension ReceiptState {
    /// The columns of `receipt` that `init(_:from:)` reads.
    package static let columns = "shown_at, verified_at, due_at, reason"

    /// Reads these columns of a row, beginning with the column `first`.
    package init(_ row: some SQLRow, from first: Int32 = 0) {
        self.init(
            shownAt: row.instant(first), verifiedAt: row.optionalInstant(first + 1), dueAt: row.optionalInstant(first + 2),
            reason: row.optionalText(first + 3))
    }
}

extension ReceiptName {
    /// The receipt's name in the table.
    package var bytes: [UInt8] {
        switch self {
        case .subscription(let id): Array(id.utf8)
        case .unverified(let digest): digest
        }
    }
}

extension ReceiptRecord {
    fileprivate init(_ row: some SQLRow, _ partition: AppPartition) {
        let name = row.bytes(1)
        self.init(
            partition: partition,
            name: row.flag(0) ? .unverified(name) : .subscription(String(decoding: name, as: UTF8.self)),
            customerID: row.optionalText(2), sealed: row.bytes(3), keptAt: row.instant(4), failures: Int(row.number(5)),
            reason: row.optionalText(6))
    }
}

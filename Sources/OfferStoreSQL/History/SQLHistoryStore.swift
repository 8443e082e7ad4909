package import EligibilityRules
package import OfferStore

/// What all databases do in the same way with histories.
///
/// Each database implements for itself what callers wait for most: the look-ups, and the changes that many callers make at once.
package protocol SQLHistoryStore: HistoryStore {
    associatedtype Connections: SQLStore
    associatedtype Rows: HistoryRows

    var store: Connections { get }

    /// The rows of histories within a transaction.
    func rows(_ transaction: Connections.Transaction) throws -> Rows

    /// Writes what the rows have deferred.
    ///
    /// Called at the end of a transaction.
    func finish(_ rows: Rows) throws
}

extension SQLHistoryStore {
    package func finish(_: Rows) {}

    /// Looks for an app's number, which an app gets when something is first stored for it.
    package func isEmpty() async throws(StoreError) -> Bool {
        try await store.read("look for histories") { try $0.run("SELECT 1 FROM app LIMIT 1").count == 0 }
    }

    package func wholeHistory(of query: HistoryQuery) async throws(StoreError) -> StoredHistory {
        try await wholeHistories(of: [query])[0]
    }

    /// Binds in its own transaction.
    package func bind(
        originalTransactionID: String,
        to claim: CustomerClaim,
        partition: AppPartition,
        now: Instant
    ) async throws(StoreError) -> BindingOutcome {
        try await merge { try $0.bind(originalTransactionID, to: claim, partition: partition, now: now) }
    }

    /// Unbinds in its own transaction.
    package func unbind(
        originalTransactionID: String,
        from customerID: String,
        partition: AppPartition,
        now: Instant
    ) async throws(StoreError) -> BindingOutcome {
        try await merge { try $0.unbind(originalTransactionID, from: customerID, partition: partition, now: now) }
    }

    /// Joins in its own transaction.
    package func join(
        alias: String,
        into customerID: String,
        partition: AppPartition,
        now: Instant
    ) async throws(StoreError) -> JoiningOutcome {
        try await merge { try $0.join(alias, into: customerID, partition: partition, now: now) }
    }

    private func merge<Outcome: Sendable>(
        _ body: @escaping @Sendable (inout HistoryMerge<Rows>) throws -> Outcome
    ) async throws(StoreError) -> Outcome {
        try await store.write("write whose a subscription is", .serializable) { [self] transaction in
            let rows = try rows(transaction)
            var merge = HistoryMerge(rows)
            let outcome = try body(&merge)
            try merge.finish()
            try finish(rows)
            return outcome
        }
    }

    /// Finds rows by the index on aliases.
    package func aliases(of customerID: String, partition: AppPartition) async throws(StoreError) -> [String] {
        try await store.read("look up aliases") { [self] transaction in
            guard let app = try transaction.number(of: partition) else { return [] }
            let rows = try rows(transaction)
            let customer = HistoryKey(app, try customers(named: [customerID], app, rows)[0])
            return try ([customer.string] + rows.aliases(of: customer)).filter { ExactText($0) != ExactText(customerID) }.sorted()
        }
    }

    /// Finds rows by the table's key.
    package func customers(named names: [String], partition: AppPartition) async throws(StoreError) -> [String] {
        try await store.read("look up aliases") { [self] transaction in
            guard let app = try transaction.number(of: partition) else { return names }
            return try customers(named: names, app, rows(transaction))
        }
    }

    private func customers(named names: [String], _ app: Int64, _ rows: Rows) throws -> [String] {
        var keys = HistoryKeys()
        keys.names = Set(names.map { HistoryKey(app, $0) })
        let found = try rows.find(keys).names
        return names.map { found[HistoryKey(app, $0)] ?? $0 }
    }

    /// Erases in its own transaction.
    package func erase(customerID: String, partition: AppPartition, now: Instant) async throws(StoreError) -> ErasedHistory {
        try await store.write("erase a customer", .serializable) { [self] transaction in
            guard try transaction.number(of: partition) != nil else { return ErasedHistory() }
            return try transaction.overwriting {
                try HistoryErasure(rows(transaction)).erase(customerID: customerID, partition: partition, at: now)
            }
        }
    }

    /// Reads and defers in one transaction. Skips rows that another process is claiming.
    package func claimForPolling(
        partition: AppPartition,
        dueAt now: Instant,
        until: Instant,
        limit: Int
    ) async throws(StoreError) -> [PollTarget] {
        if Connections.Transaction.dialect.hasOneWriter {
            // Nearly every round finds nothing due, and a read does not delay writes.
            let isDue = try await store.read("look for due subscriptions") { transaction in
                guard let app = try transaction.number(of: partition) else { return false }
                let sql = "SELECT 1 FROM purchase_chain WHERE app = $1 AND poll_at <= $2 LIMIT 1"
                return try transaction.run(sql, .number(app), .instant(now)).count > 0
            }
            guard isDue else { return [] }
        }
        return try await store.write("take due subscriptions", .latest) { transaction in
            guard let app = try transaction.number(of: partition) else { return [] }
            let targets = try transaction.run(
                """
                SELECT original_transaction_id, poll_at FROM purchase_chain WHERE app = $1 AND poll_at <= $2
                ORDER BY poll_at LIMIT $3 \(Connections.Transaction.dialect.skippingLocked)
                """, .number(app), .instant(now), .number(Int64(limit))
            ).map { PollTarget(partition: partition, originalTransactionID: $0.text(0), dueAt: $0.instant(1)) }
            for target in targets { try Self.schedule(target, app, at: until, transaction) }
            return targets
        }
    }

    private static func schedule(
        _ target: PollTarget,
        _ app: Int64,
        at instant: Instant?,
        _ transaction: Connections.Transaction
    ) throws {
        try transaction.enqueue(
            "UPDATE purchase_chain SET poll_at = $1 WHERE app = $2 AND original_transaction_id = $3", .instant(instant),
            .number(app), .id(target.originalTransactionID))
    }

    /// Sets the due time of one subscription.
    package func schedulePolling(of target: PollTarget, at instant: Instant?) async throws(StoreError) {
        try await store.write("schedule a look at the App Store", .serializable) { transaction in
            guard let app = try transaction.number(of: target.partition) else { return }
            try Self.schedule(target, app, at: instant, transaction)
        }
    }

    /// Reads and sets in one transaction, so that no concurrent change is missed.
    package func scheduleNextPolling(of target: PollTarget, askedAt instant: Instant) async throws(StoreError) {
        try await store.write("schedule a look at the App Store", .serializable) { [self] transaction in
            guard let app = try transaction.number(of: target.partition) else { return }
            var keys = HistoryKeys()
            keys.chains = [HistoryKey(app, target.originalTransactionID)]
            guard let stored = try rows(transaction).find(keys).chains.values.first else { return }
            try Self.schedule(target, app, at: stored.nextPoll(askedAt: instant), transaction)
        }
    }

    /// Reads one row for each product.
    package func seenGroups(partition: AppPartition) async throws(StoreError) -> [ExactText: String] {
        try await store.read("read subscription groups") { transaction in
            guard let app = try transaction.number(of: partition) else { return [:] }
            let groups = try transaction.run("SELECT product_id, group_id FROM seen_group WHERE app = $1", .number(app))
                .map { (ExactText($0.text(0)), $0.text(1)) }
            return Dictionary(uniqueKeysWithValues: groups)
        }
    }
}

// Notifications
extension SQLHistoryStore {
    /// The time between two marks, in ms. A mark states which notification was the latest at its time.
    private static var markInterval: Int64 { 3_600_000 }

    /// Finds the row by the notification's key.
    package func hasNotification(key: [UInt8], partition: AppPartition) async throws(StoreError) -> Bool {
        try await store.read("look for a notification") { transaction in
            guard let app = try transaction.number(of: partition) else { return false }
            let sql = "SELECT 1 FROM notification WHERE app = $1 AND key = $2"
            return try transaction.run(sql, .number(app), .bytes(key)).count > 0
        }
    }

    /// Finds the row by the notification's key.
    package func notificationBody(key: [UInt8], partition: AppPartition) async throws(StoreError) -> [UInt8] {
        try await store.read("read a notification") { transaction in
            guard let app = try transaction.number(of: partition) else { return [] }
            let sql = "SELECT body FROM notification WHERE app = $1 AND key = $2"
            return try transaction.run(sql, .number(app), .bytes(key)).first { $0.bytes(0) } ?? []
        }
    }

    /// Finds rows by the index on subscriptions.
    package func notifications(
        partition: AppPartition,
        originalTransactionID: String
    ) async throws(StoreError) -> [NotificationRecord] {
        try await store.read("read notifications") { transaction in
            guard let app = try transaction.number(of: partition) else { return [] }
            return try transaction.run(
                """
                SELECT key, version, type, subtype, received_at FROM notification
                WHERE app = $1 AND original_transaction_id = $2 ORDER BY received_at, number
                """, .number(app), .text(originalTransactionID)
            ).map { row in
                NotificationRecord(
                    key: row.bytes(0), version: Int(row.number(1)), type: row.text(2), subtype: row.optionalText(3),
                    originalTransactionID: originalTransactionID, body: [], receivedAt: row.instant(4))
            }
        }
    }

    /// Finds old notifications by their numbers, which grow with time.
    ///
    /// It begins where the last call ended, and goes up to the last notification of a mark that is old enough.
    package func blankNotifications(servedSince age: Int64, of total: Int64, limit: Int) async throws(StoreError) -> Int {
        try await store.write("apply the retention of notifications", .serializable) { transaction in
            // Marks beyond the total are from a ledger that was replaced.
            try transaction.enqueue("DELETE FROM notification_mark WHERE served > $1", .number(total))
            try transaction.enqueue(
                """
                INSERT INTO notification_mark SELECT $1, coalesce((SELECT max(number) FROM notification), 0)
                WHERE NOT EXISTS (SELECT 1 FROM notification_mark WHERE served > $1 - $2)
                """, .number(total), .number(Self.markInterval))
            let due = try transaction.run(
                """
                SELECT number, work FROM (
                    SELECT number, own, CAST(sum(own) OVER (ORDER BY number) AS bigint) AS work FROM (
                        SELECT number, 1 + length(body) / 65536 AS own FROM notification
                        WHERE number > (SELECT blanked FROM notification_retention) AND number <= (
                            SELECT notification FROM notification_mark WHERE served <= $1 ORDER BY served DESC LIMIT 1)
                        ORDER BY number LIMIT $2) AS due) AS summed
                WHERE work - own < $2 ORDER BY number DESC LIMIT 1
                """, .number(total - age), .number(Int64(limit))
            ).first { (last: $0.number(0), work: $0.number(1)) }
            guard let (last, work) = due else { return 0 }
            try transaction.enqueue(
                """
                DELETE FROM refund_request WHERE (app, notification) IN (
                    SELECT app, key FROM notification
                    WHERE number > (SELECT blanked FROM notification_retention) AND number <= $1)
                """, .number(last))
            try transaction.enqueue(
                """
                UPDATE notification SET body = $2
                WHERE number > (SELECT blanked FROM notification_retention) AND number <= $1 AND length(body) > 0
                """, .number(last), .bytes([]))
            try transaction.enqueue("UPDATE notification_retention SET blanked = $1", .number(last))
            return Int(work)
        }
    }
}

extension SQLTransaction {
    /// Deletes the content of a chain's notifications, but not their keys, and the refund requests about it. Returns how many had
    /// content.
    package func blankNotifications(ofChain key: HistoryKey) throws -> Int {
        try forgetRefundRequests(ofChain: key)
        return try run(
            "UPDATE notification SET body = $3 WHERE app = $1 AND original_transaction_id = $2 AND length(body) > 0",
            .number(key.app), .text(key.string), .bytes([])
        ).changes
    }
}

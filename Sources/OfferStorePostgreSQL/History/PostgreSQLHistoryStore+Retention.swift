public import OfferStore

extension PostgreSQLHistoryStore {
    /// Milliseconds between two marks, each of the latest notification at that time.
    private static let markInterval: Int64 = 3_600_000

    /// Uses the notifications' numbers: from the end of the last call up to a mark that is old enough.
    public func blankNotifications(servedSince age: Int64, of total: Int64, limit: Int) async throws(StoreError) -> Int {
        try await store.write("apply the retention of notifications") { transaction in
            // Marks from a replaced ledger are invalid.
            transaction.enqueue(Statement("DELETE FROM notification_mark WHERE served > $1", [.number(total)]))
            transaction.enqueue(
                Statement(
                    """
                    INSERT INTO notification_mark SELECT $1, coalesce((SELECT max(number) FROM notification), 0)
                    WHERE NOT EXISTS (SELECT 1 FROM notification_mark WHERE served > $1 - $2)
                    """, [.number(total), .number(Self.markInterval)]))
            let due = try transaction.run(
                """
                SELECT number, work FROM (
                    SELECT number, own, (sum(own) OVER (ORDER BY number))::int8 AS work FROM (
                        SELECT number, 1 + octet_length(body) / 65536 AS own FROM notification
                        WHERE number > (SELECT blanked FROM notification_retention) AND number <= (
                            SELECT notification FROM notification_mark WHERE served <= $1 ORDER BY served DESC LIMIT 1)
                        ORDER BY number LIMIT $2) AS due) AS summed
                WHERE work - own < $2 ORDER BY number DESC LIMIT 1
                """, .number(total - age), .number(Int64(limit))
            ).map { (last: $0.number(0), work: $0.number(1)) }.first
            guard let (last, work) = due else { return 0 }
            transaction.enqueue(RefundRows.forget(notificationsUpTo: last))
            transaction.enqueue(
                Statement(
                    """
                    UPDATE notification SET body = ''
                    WHERE number > (SELECT blanked FROM notification_retention) AND number <= $1 AND length(body) > 0
                    """, [.number(last)]))
            transaction.enqueue(Statement("UPDATE notification_retention SET blanked = $1", [.number(last)]))
            return Int(work)
        }
    }
}

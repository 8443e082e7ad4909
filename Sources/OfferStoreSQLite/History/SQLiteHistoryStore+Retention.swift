import GRDB
public import OfferStore

extension SQLiteHistoryStore {
    /// Milliseconds between two marks, each of the latest notification at that time.
    private static let markInterval: Int64 = 3_600_000

    /// Uses row numbers, which grow with time: from the end of the last call up to a mark that is old enough.
    public func blankNotifications(servedSince age: Int64, of total: Int64, limit: Int) async throws(StoreError) -> Int {
        try await store.write("apply the retention of notifications") { database in
            // Marks from a replaced ledger are invalid.
            try database.execute(sql: "DELETE FROM notification_mark WHERE served > ?", arguments: [total])
            try database.execute(
                sql: """
                    INSERT INTO notification_mark
                    SELECT ?1, coalesce((SELECT max(rowid) FROM notification), 0)
                    WHERE NOT EXISTS (SELECT 1 FROM notification_mark WHERE served > ?1 - ?2)
                    """, arguments: [total, Self.markInterval])
            let due = try Row.fetchOne(
                database,
                sql: """
                    SELECT max(place), max(work) FROM (
                        SELECT place, own, sum(own) OVER (ORDER BY place) AS work FROM (
                            SELECT rowid AS place, 1 + length(body) / 65536 AS own FROM notification
                            WHERE rowid > (SELECT blanked FROM notification_retention) AND rowid <= (
                                SELECT notification FROM notification_mark WHERE served <= ?1 ORDER BY served DESC LIMIT 1)
                            ORDER BY rowid LIMIT ?2))
                    WHERE work - own < ?2
                    """, arguments: [total - age, limit])!
            guard let last = due[0] as Int64? else { return 0 }
            try RefundRows(database: database).forget(notificationsUpTo: last)
            try database.execute(
                sql: """
                    UPDATE notification SET body = x''
                    WHERE rowid > (SELECT blanked FROM notification_retention) AND rowid <= ? AND length(body) > 0
                    """, arguments: [last])
            try database.execute(sql: "UPDATE notification_retention SET blanked = ?", arguments: [last])
            return due[1]
        }
    }
}

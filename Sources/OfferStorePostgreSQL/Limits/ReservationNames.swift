import OfferStore
import OfferStoreSQL

/// The table `reservation_name`.
enum ReservationNames {
    /// Deletes rows.
    static func delete(_ rows: [(key: Int64, until: Int64, nonce: [UInt8])], _ transaction: Transaction) throws {
        guard !rows.isEmpty else { return }
        try transaction.enqueue(
            """
            DELETE FROM reservation_name AS old USING unnest($1, $2, $3) AS gone (limit_key, until, nonce)
            WHERE old.limit_key = gone.limit_key AND old.until = gone.until AND old.nonce = gone.nonce
            """, .numbers(rows.map(\.key)), .numbers(rows.map(\.until)), .blobs(rows.map(\.nonce)))
    }
}

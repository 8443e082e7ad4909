public import EligibilityRules
import FoundationEssentials
public import OfferStore
import OfferStoreSQL

extension PostgreSQLLedger {
    /// Counts all in one transaction.
    public func count(_ redemptions: [CountedRedemption]) async throws(StoreError) {
        guard !redemptions.isEmpty else { return }
        try await store.write("count redemptions", .latest) { [hash = store.limitHash] transaction in
            let hash = LimitHash(hash)
            var locked: Set<LimitKey> = []
            while true {
                let rows = try RedemptionRows(redemptions, transaction)
                let names = rows.names(hash)
                if names.isSubset(of: locked) { return try rows.count(hash, transaction) }
                // The uses under a name must not change while a batch of signatures reads them. Once the rows are locked, they
                // are read again.
                locked.formUnion(names)
                var looks = Looks()
                LimitRows.lock(locked, &looks)
                try looks.run(transaction)
            }
        }
    }

    /// Deletes the oldest first.
    public func pruneReservations(now: Instant, limit: Int) async throws(StoreError) -> Int {
        try await store.write("drop lapsed reservations", .latest) { transaction in
            let gone = try transaction.run(
                """
                DELETE FROM reservation WHERE nonce IN (
                    SELECT nonce FROM reservation WHERE until <= $1 ORDER BY until LIMIT $2 FOR UPDATE SKIP LOCKED)
                RETURNING nonce, until, names || staying_names || totals || staying_totals, (totals || staying_totals)
                """, .instant(now), .number(Int64(limit))
            ).map(LapsedReservation.init)
            try LapsedReservation.subtract(gone, transaction)
            return gone.count
        }
    }
}

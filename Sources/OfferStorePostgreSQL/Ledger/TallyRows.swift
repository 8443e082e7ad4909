import EligibilityRules
import OfferStore
import OfferStoreSQL

/// The rows of `offer_tally` for a batch: its signed and refused offers by minute.
struct TallyRows {
    private struct Key: Hashable {
        let minute: Int64
        let table: AuditTable
        let partition: AppPartition
        let outcome: String
    }

    private var sums: [Key: (offers: Int64, latest: Instant)] = [:]

    mutating func append(_ entry: LedgerEntry) {
        add(.signatures, entry.signedAt, entry.partition, entry.keyID, entry.signatures.count)
    }

    mutating func append(_ refusals: LedgerRefusals) {
        for offer in refusals.offers { add(.refusals, refusals.refusedAt, refusals.partition, offer.reason, 1) }
    }

    private mutating func add(_ table: AuditTable, _ at: Instant, _ partition: AppPartition, _ outcome: String, _ count: Int) {
        let key = Key(minute: at.milliseconds / 60_000, table: table, partition: partition, outcome: outcome)
        let known = sums[key]
        sums[key] = ((known?.offers ?? 0) + Int64(count), max(known?.latest ?? at, at))
    }

    /// Adds to the stored sums, in rows that only this process writes.
    func enqueue(_ chains: AuditChains, _ transaction: Transaction) throws {
        guard !sums.isEmpty else { return }
        let rows = Array(sums)
        try transaction.enqueue(
            """
            INSERT INTO offer_tally (minute, table_name, bundle_id, outcome, chain, offers, latest_at)
            SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (minute, table_name, bundle_id, outcome, chain) DO UPDATE
            SET offers = offer_tally.offers + excluded.offers, latest_at = greatest(offer_tally.latest_at, excluded.latest_at)
            """, .numbers(rows.map(\.key.minute)), .texts(rows.map(\.key.table.rawValue)),
            .texts(rows.map(\.key.partition.name)), .texts(rows.map(\.key.outcome)),
            .numbers(rows.map { chains[$0.key.table]!.chain.number }), .numbers(rows.map(\.value.offers)),
            .numbers(rows.map(\.value.latest.milliseconds)))
    }
}

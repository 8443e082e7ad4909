import EligibilityRules
import OfferStore

/// Replaces units by pseudonyms: those found beside the writers, and those added meanwhile.
struct ExposureErasure: Sendable {
    /// The rows that name a unit.
    struct Found: Sendable {
        /// The numbers of the rows.
        var rows: [Int64] = []
        /// The last row that was searched.
        let end: Int64
    }

    let ids: Set<String>
    let bundleID: String

    /// - Parameter bundleID: the app, in all of its environments.
    init(_ ids: Set<String>, bundleID: String) {
        self.ids = ids
        self.bundleID = bundleID
    }

    /// Replaces units of exposures, and deletes testers, rehearsals and holds.
    func enqueue(_ found: Found, _ transaction: Transaction) {
        replace(found, transaction)
        removeNames(transaction)
    }

    /// Gives each campaign that has one of the ids as a tester its next version. Returns the events that tell of it.
    func noteTesters(_ erasure: AuditEvent, _ functions: AuditFunctions, _ transaction: Transaction) throws -> [AuditEvent] {
        // Locked, because the transaction sees what others commit meanwhile.
        let campaigns = try transaction.run(
            """
            SELECT id FROM campaign WHERE bundle_id = $1
                AND id IN (SELECT campaign_id FROM campaign_tester WHERE bundle_id = $1 AND id = ANY ($2)) ORDER BY id FOR UPDATE
            """, .text(bundleID), units
        ).map { $0.text(0) }
        return try campaigns.compactMap { id in
            guard let (next, event) = try CampaignReading.find(id, bundleID, transaction)?.erasing(ids, erasure, functions) else {
                return nil
            }
            transaction.enqueue(
                Statement(
                    "UPDATE campaign SET version = $3, testers_version = $4 WHERE bundle_id = $1 AND id = $2",
                    [.text(bundleID), .text(id), .number(next.version), .number(next.versions.testers)]))
            return event
        }
    }

    var partitions: Value { .texts(AppPartition.environments(of: bundleID).map(\.name)) }

    var units: Value { .texts(Array(ids)) }

    /// Replaces each unit by a random pseudonym, the same in all of its rows, so that counts do not change.
    private func replace(_ found: Found, _ transaction: Transaction) {
        transaction.enqueue(
            Statement(
                """
                WITH erased AS MATERIALIZED (
                    SELECT id, 'erased-' || replace(gen_random_uuid()::text, '-', '') AS pseudonym FROM unnest($1) AS id)
                UPDATE exposure SET unit = pseudonym FROM erased
                WHERE unit = erased.id AND (exposure.id = ANY ($2) OR exposure.id > $3
                    AND arm IN (SELECT number FROM exposure_arm WHERE bundle_id = ANY ($4)))
                """, [units, .numbers(found.rows), .number(found.end), partitions]))
    }

    /// Deletes testers, rehearsals and holds. Nothing counts them.
    private func removeNames(_ transaction: Transaction) {
        transaction.enqueue(
            Statement(
                """
                WITH removed AS (DELETE FROM campaign_tester WHERE bundle_id = $1 AND id = ANY ($2) RETURNING id)
                UPDATE revision SET number = number + 1 WHERE topic = 'campaigns' AND EXISTS (SELECT 1 FROM removed)
                """, [.text(bundleID), units]))
        for table in ["rehearsal", "exclusion_hold"] {
            transaction.enqueue(
                Statement("DELETE FROM \(table) WHERE bundle_id = ANY ($1) AND unit = ANY ($2)", [partitions, units]))
        }
    }
}

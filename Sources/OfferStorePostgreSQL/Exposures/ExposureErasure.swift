import EligibilityRules
import OfferStore
import OfferStoreSQL

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

    var partitions: SQLValue { .texts(AppPartition.environments(of: bundleID).map(\.name)) }

    var units: SQLValue { .texts(Array(ids)) }

    /// Replaces each unit by a random pseudonym, the same in all of its rows, so that counts do not change.
    func replace(_ found: Found, _ transaction: Transaction) throws {
        try transaction.enqueue(
            """
            WITH erased AS MATERIALIZED (
                SELECT id, 'erased-' || replace(gen_random_uuid()::text, '-', '') AS pseudonym FROM unnest($1) AS id)
            UPDATE exposure SET unit = pseudonym FROM erased
            WHERE unit = erased.id AND (exposure.id = ANY ($2) OR exposure.id > $3
                AND arm IN (SELECT number FROM exposure_arm WHERE bundle_id = ANY ($4)))
            """, units, .numbers(found.rows), .number(found.end), partitions)
    }
}

import EligibilityRules
import OfferStore
import OfferStoreSQL

/// Replaces units by pseudonyms, in the rows found beside the writers and in those added meanwhile.
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

extension ExposureErasure {
    private static let slice: Int64 = 250_000
    private static let purpose = "look for what is personal"

    /// Searches all present rows beside the writers.
    func look(_ store: PostgreSQLStore) async throws(StoreError) -> Found {
        let (end, writers) = try await store.scan(Self.purpose) { transaction in
            let rows = Array(
                try transaction.run([
                    SQLStatement("SELECT coalesce(max(id), 0) FROM exposure"),
                    // Read after the last id, so that it includes every transaction that may still write a lower id.
                    SQLStatement(
                        """
                        SELECT virtualtransaction FROM pg_locks JOIN pg_database ON pg_database.oid = database
                        WHERE datname = current_database() AND relation = 'exposure'::regclass AND mode = 'RowExclusiveLock'
                            AND granted
                        """),
                ]))
            return (rows[0].first { $0.number(0) }!, rows[1].map { $0.text(0) })
        }
        try await wait(for: writers, store)
        var found = Found(end: end)
        // Rows are never removed.
        var start: Int64 = 0
        while start < found.end {
            let part = start..<min(found.end, start + Self.slice)
            found.rows += try await store.scan(Self.purpose) { try rows(in: part, $0) }
            start = part.upperBound
        }
        return found
    }

    /// Waits until transactions have ended, and their rows are visible.
    private func wait(for writers: [String], _ store: PostgreSQLStore) async throws(StoreError) {
        let end = ContinuousClock.now + .seconds(10)
        while !writers.isEmpty {
            let areAtWork = try await store.scan(Self.purpose) { transaction in
                try transaction.run("SELECT 1 FROM pg_locks WHERE virtualtransaction = ANY ($1) LIMIT 1", .texts(writers)).count
                    > 0
            }
            guard areAtWork else { return }
            guard ContinuousClock.now < end else {
                throw StoreError(.unavailable, "a transaction that adds exposures does not end")
            }
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    /// - Parameter part: searches after its lower bound, up to and including its upper bound.
    private func rows(in part: Range<Int64>, _ transaction: Transaction) throws -> [Int64] {
        try transaction.run(
            """
            SELECT id FROM exposure WHERE id > $1 AND id <= $2 AND unit IN (SELECT unnest($3))
                AND arm IN (SELECT number FROM exposure_arm WHERE bundle_id = ANY ($4))
            """, .number(part.lowerBound), .number(part.upperBound), units, partitions
        ).map { $0.number(0) }
    }
}

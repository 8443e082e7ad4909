package import EligibilityRules
package import OfferStore

/// Exposures, which ledgers write together with signatures.
///
/// The only index is the primary key. So reads go through the table slice by slice, and do not delay other reads for long. In a
/// database with several writers, a row that is committed late may have a lower number than a row already read. A scan that
/// continues misses such a row, as if it had come after the scan. Scans keep no position between runs: each begins at the first
/// row.
package struct SQLExposureStore<Store: SQLStore>: ExposureStore {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// Scans the table in order, and skips other campaigns.
    package func exposures(
        of campaign: String,
        partition: AppPartition,
        after id: Int64,
        limit: Int
    ) async throws(StoreError) -> [Numbered] {
        let arms = ("bundle_id = $1 AND campaign_id = $2", [SQLValue.text(partition.name), .text(campaign)])
        return try await exposures(of: arms, nil, after: id, limit: limit)
    }

    /// Scans the table from its end, and skips other apps.
    package func latestExposures(
        partition: AppPartition,
        before id: Int64?,
        limit: Int
    ) async throws(StoreError) -> [Numbered] {
        try await store.scan("read the latest exposures") { transaction in
            let arms = try Self.arms("bundle_id = $1", [.text(partition.name)], transaction)
            return try transaction.run(
                """
                SELECT \(Exposure.columns) FROM exposure WHERE id < $1 AND arm \(Store.Transaction.dialect.isAny("$2"))
                ORDER BY id DESC LIMIT $3
                """, .number(id ?? .max), .numbers(arms.keys.sorted()), .number(Int64(limit))
            ).map { ($0.number(0), Exposure($0, arm: arms[$0.number(1)]!)) }
        }
    }

    /// Scans the table in order, and skips other units.
    package func exposures(
        ofUnits units: Set<String>,
        partition: AppPartition,
        after id: Int64,
        limit: Int
    ) async throws(StoreError) -> [Numbered] {
        try await exposures(of: ("bundle_id = $1", [.text(partition.name)]), units, after: id, limit: limit)
    }

    /// Finds rows by the index on campaigns.
    package func rehearsals(of campaign: String, bundleID: String) async throws(StoreError) -> [RehearsalCount] {
        try await store.read("count what testers have met") { transaction in
            try transaction.run(
                """
                SELECT variant, count(DISTINCT kind || ' ' || unit), count(nonce) FROM rehearsal
                WHERE bundle_id \(Store.Transaction.dialect.isAny("$1")) AND campaign_id = $2 GROUP BY variant ORDER BY variant
                """, .texts(AppPartition.environments(of: bundleID).map(\.name)), .text(campaign)
            ).map { RehearsalCount(variant: $0.text(0), exposed: Int($0.number(1)), signed: Int($0.number(2))) }
        }
    }

    /// Scans the whole table, which is small.
    package func rehearsals(ofUnits units: Set<String>, partition: AppPartition) async throws(StoreError) -> [Exposure] {
        try await store.scan("read what a tester has met") { transaction in
            try transaction.run(
                """
                SELECT \(Exposure.rehearsalColumns) FROM rehearsal
                WHERE bundle_id = $1 AND unit \(Store.Transaction.dialect.isAny("$2")) ORDER BY at, id
                """, .text(partition.name), .texts(units.sorted())
            ).map { try Exposure(rehearsal: $0) }
        }
    }

    /// Finds rows by the primary key.
    package func holds(onUnits units: Set<String>, partition: AppPartition) async throws(StoreError) -> [ExclusionHold] {
        try await store.read("look for holds") { transaction in
            try transaction.run(
                """
                SELECT exclusion_group, unit_kind, unit, campaign_id FROM exclusion_hold
                WHERE bundle_id = $1 AND unit \(Store.Transaction.dialect.isAny("$2")) ORDER BY exclusion_group, unit_kind, unit
                """, .text(partition.name), .texts(units.sorted())
            ).map { row in
                guard let kind = BucketingUnit(rawValue: row.text(1)) else {
                    throw StoreError(.damaged, "a hold is on no known kind of unit")
                }
                return ExclusionHold(group: row.text(0), unitKind: kind, unit: row.text(2), campaign: row.text(3))
            }
        }
    }

    private static func arms(
        _ condition: String,
        _ values: [SQLValue],
        _ transaction: Store.Transaction
    ) throws -> [Int64: ExposureArm] {
        try ExposureArm.all(
            transaction.run("SELECT \(ExposureArm.columns) FROM exposure_arm WHERE \(condition)", values))
    }

    /// Reads one slice after another, until no row is left or `limit` exposures were found.
    ///
    /// - Parameters:
    ///   - arms: the condition of the arms, and its values.
    ///   - units: the units; nil for all.
    private func exposures(
        of arms: (condition: String, values: [SQLValue]),
        _ units: Set<String>?,
        after id: Int64,
        limit: Int
    ) async throws(StoreError) -> [Numbered] {
        var (found, next): ([Numbered], Int64?) = ([], id)
        while let start = next, found.count < limit {
            let slice = try await store.scan("read exposures") { [size = store.rowsPerSlice, left = limit - found.count] in
                try Self.slice(of: Self.arms(arms.condition, arms.values, $0), units, after: start, limit: left, size: size, $0)
            }
            found += slice.found
            next = slice.end
        }
        return found
    }

    /// The matching exposures of one slice, and the row after which the next slice begins; nil if no row is left.
    private static func slice(
        of arms: [Int64: ExposureArm],
        _ units: Set<String>?,
        after id: Int64,
        limit: Int,
        size: Int64,
        _ transaction: Store.Transaction
    ) throws -> (found: [Numbered], end: Int64?) {
        let ends = try transaction.run("SELECT min(id), max(id) FROM exposure").first { row in
            row.optionalNumber(0).map { (first: $0, last: row.number(1)) }
        }
        guard !arms.isEmpty, let ends = ends ?? nil, id < ends.last else { return ([], nil) }
        let isAny = Store.Transaction.dialect.isAny
        let end = max(id, ends.first - 1) + size
        let rows = try transaction.run(
            """
            SELECT \(Exposure.columns) FROM exposure WHERE id > $1 AND id <= $2 AND arm \(isAny("$3"))
                \(units == nil ? "" : "AND unit \(isAny("$5"))") ORDER BY id LIMIT $4
            """,
            [.number(id), .number(end), .numbers(arms.keys.sorted()), .number(Int64(limit))]
                + (units.map { [.texts($0.sorted())] } ?? []))
        return (rows.map { ($0.number(0), Exposure($0, arm: arms[$0.number(1)]!)) }, end < ends.last ? end : nil)
    }
}

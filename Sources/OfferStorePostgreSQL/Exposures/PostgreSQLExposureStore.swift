public import EligibilityRules
import FoundationEssentials
public import OfferStore

/// Exposures in PostgreSQL.
///
/// A row that another process commits late may have a lower number than a row already read. A scan that continues misses it, as
/// if it had come after the scan. Scans keep no position between runs: each begins at the first row.
public struct PostgreSQLExposureStore: ExposureStore {
    private let store: PostgreSQLStore

    /// Uses an open store.
    public init(_ store: PostgreSQLStore) { self.store = store }

    /// Scans the table in order, and skips other campaigns.
    public func exposures(
        of campaign: String,
        partition: AppPartition,
        after id: Int64,
        limit: Int
    ) async throws(StoreError) -> [Numbered] {
        let arms = Statement(
            "SELECT \(ExposureArm.columns) FROM exposure_arm WHERE bundle_id = $1 AND campaign_id = $2",
            [.text(partition.name), .text(campaign)])
        return try await ExposureScan(store, units: nil).exposures(of: arms, after: id, limit: limit)
    }

    /// Scans the table from its end, and skips other apps.
    public func latestExposures(
        partition: AppPartition,
        before id: Int64?,
        limit: Int
    ) async throws(StoreError) -> [Numbered] {
        try await store.scan("read the latest exposures") { transaction in
            let arms = try transaction.run(
                "SELECT \(ExposureArm.columns) FROM exposure_arm WHERE bundle_id = $1", .text(partition.name)
            ).arms()
            return try transaction.run(
                "SELECT \(Exposure.columns) FROM exposure WHERE id < $1 AND arm = ANY ($2) ORDER BY id DESC LIMIT $3",
                .number(id ?? .max), .numbers(Array(arms.keys)), .number(Int64(limit))
            ).map { row in (row.number(0), Exposure(row, arm: arms[row.number(1)]!)) }
        }
    }

    /// Scans the table in order, and skips other units.
    public func exposures(
        ofUnits units: Set<String>,
        partition: AppPartition,
        after id: Int64,
        limit: Int
    ) async throws(StoreError) -> [Numbered] {
        let arms = Statement(
            "SELECT \(ExposureArm.columns) FROM exposure_arm WHERE bundle_id = $1", [.text(partition.name)])
        return try await ExposureScan(store, units: units).exposures(of: arms, after: id, limit: limit)
    }

    /// Uses the index on campaigns.
    public func rehearsals(of campaign: String, bundleID: String) async throws(StoreError) -> [RehearsalCount] {
        try await store.read("count what testers have met") { transaction in
            let rows = try transaction.run(
                """
                SELECT variant, count(DISTINCT (kind, unit)), count(nonce) FROM rehearsal
                WHERE bundle_id = ANY ($1) AND campaign_id = $2 GROUP BY variant ORDER BY variant
                """, .texts(AppPartition.environments(of: bundleID).map(\.name)), .text(campaign))
            return rows.map { row in
                RehearsalCount(variant: row.text(0), exposed: Int(row.number(1)), signed: Int(row.number(2)))
            }
        }
    }

    /// Scans the whole table, which is small.
    public func rehearsals(ofUnits units: Set<String>, partition: AppPartition) async throws(StoreError) -> [Exposure] {
        try await store.scan("read what a tester has met") { transaction in
            let rows = try transaction.run(
                """
                SELECT \(Exposure.rehearsalColumns) FROM rehearsal WHERE bundle_id = $1 AND unit = ANY ($2) ORDER BY at, id
                """, .text(partition.name), .texts(Array(units)))
            return try rows.map(Exposure.init(rehearsal:))
        }
    }

    /// Uses the primary key.
    public func holds(onUnits units: Set<String>, partition: AppPartition) async throws(StoreError) -> [ExclusionHold] {
        try await store.read("look for holds") { transaction in
            let rows = try transaction.run(
                """
                SELECT exclusion_group, unit_kind, unit, campaign_id FROM exclusion_hold
                WHERE bundle_id = $1 AND unit = ANY ($2) ORDER BY exclusion_group, unit_kind, unit
                """, .text(partition.name), .texts(Array(units)))
            return try rows.map { row in
                guard let kind = BucketingUnit(rawValue: row.text(1)) else {
                    throw StoreError(.damaged, "a hold is on no known kind of unit")
                }
                return ExclusionHold(group: row.text(0), unitKind: kind, unit: row.text(2), campaign: row.text(3))
            }
        }
    }
}

public import EligibilityRules
import FoundationEssentials
import GRDB
public import OfferStore

/// Exposures in SQLite.
public struct SQLiteExposureStore: ExposureStore {
    private let store: SQLiteStore

    /// Uses an open store.
    public init(store: SQLiteStore) { self.store = store }

    /// Scans the table in order, and skips other campaigns.
    public func exposures(
        of campaign: String,
        partition: AppPartition,
        after id: Int64,
        limit: Int
    ) async throws(StoreError) -> [Numbered] {
        try await inSlices(after: id, limit: limit) { start, limit throws(StoreError) in
            try await store.scan("read the exposures of a campaign") { [size = store.rowsPerSlice] database in
                let sql = "SELECT * FROM exposure_arm WHERE bundle_id = ? AND campaign_id = ?"
                let arms = try Row.fetchAll(database, sql: sql, arguments: [partition.name, campaign])
                return try Self.slice(of: arms, after: start, limit: limit, size: size, database)
            }
        }
    }

    /// Scans the table from its end, and skips other apps.
    public func latestExposures(
        partition: AppPartition,
        before id: Int64?,
        limit: Int
    ) async throws(StoreError) -> [Numbered] {
        try await store.scan("read the latest exposures") { database in
            let arms = try Row.fetchAll(
                database, sql: "SELECT * FROM exposure_arm WHERE bundle_id = ?", arguments: [partition.name])
            let known = try Self.known(arms)
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT * FROM exposure WHERE id < ? AND arm IN (SELECT value FROM json_each(?)) ORDER BY id DESC LIMIT ?
                        """), arguments: [id ?? .max, try known.keys.sorted().json, limit])
            return rows.map { ($0["id"], Exposure(row: $0, known[$0["arm"]]!)) }
        }
    }

    /// Scans the table in order, and skips other units.
    public func exposures(
        ofUnits units: Set<String>,
        partition: AppPartition,
        after id: Int64,
        limit: Int
    ) async throws(StoreError) -> [Numbered] {
        try await inSlices(after: id, limit: limit) { start, limit throws(StoreError) in
            try await store.scan("read the exposures of a customer") { [size = store.rowsPerSlice] database in
                let arms = try Row.fetchAll(
                    database, sql: "SELECT * FROM exposure_arm WHERE bundle_id = ?", arguments: [partition.name])
                return try Self.slice(of: arms, units, after: start, limit: limit, size: size, database)
            }
        }
    }

    /// Uses the index on campaigns.
    public func rehearsals(of campaign: String, bundleID: String) async throws(StoreError) -> [RehearsalCount] {
        let partitions = AppPartition.environments(of: bundleID).map(\.name)
        return try await store.read("count what testers have met") { database in
            let sql = """
                SELECT variant, count(DISTINCT json_array(kind, unit)), count(nonce) FROM rehearsal
                WHERE bundle_id IN (\(partitions.placeholders)) AND campaign_id = ? GROUP BY variant ORDER BY variant
                """
            return try Row.fetchAll(
                database.cachedStatement(sql: sql), arguments: StatementArguments(partitions) + [campaign]
            ).map { RehearsalCount(variant: $0[0], exposed: $0[1], signed: $0[2]) }
        }
    }

    /// Scans the table in order, and skips other units.
    public func rehearsals(ofUnits units: Set<String>, partition: AppPartition) async throws(StoreError) -> [Exposure] {
        try await store.scan("read what a tester has met") { database in
            let sql = "SELECT * FROM rehearsal WHERE bundle_id = ? AND unit IN (SELECT value FROM json_each(?)) ORDER BY id"
            let arguments: StatementArguments = [partition.name, try units.sorted().json]
            return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: arguments).map(Exposure.init(rehearsal:))
        }
    }

    /// Uses the primary key.
    public func holds(onUnits units: Set<String>, partition: AppPartition) async throws(StoreError) -> [ExclusionHold] {
        try await store.read("look for holds") { database in
            let sql = """
                SELECT * FROM exclusion_hold WHERE bundle_id = ? AND unit IN (SELECT value FROM json_each(?))
                ORDER BY exclusion_group, unit_kind, unit
                """
            let arguments: StatementArguments = [partition.name, try units.sorted().json]
            return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: arguments).map { row in
                guard let kind = BucketingUnit(rawValue: row["unit_kind"]) else {
                    throw StoreError(.damaged, "a hold is on no known kind of unit")
                }
                return ExclusionHold(
                    group: row["exclusion_group"], unitKind: kind, unit: row["unit"], campaign: row["campaign_id"])
            }
        }
    }

    private static func known(_ arms: [Row]) throws -> [Int64: ExposureArm] {
        var known: [Int64: ExposureArm] = [:]
        for row in arms { known[row["number"]] = try ExposureArm(row: row) }
        return known
    }

    /// - Parameter units: the units; nil for all.
    /// Goes on, a slice at a time, until no row is left or so many were found.
    private func inSlices(
        after id: Int64,
        limit: Int,
        _ slice: (_ start: Int64, _ limit: Int) async throws(StoreError) -> (found: [Numbered], end: Int64?)
    ) async throws(StoreError) -> [Numbered] {
        var (found, next): ([Numbered], Int64?) = ([], id)
        while let start = next, found.count < limit {
            let slice = try await slice(start, limit - found.count)
            found += slice.found
            next = slice.end
        }
        return found
    }

    /// What one slice has, and the row after which the next begins; nil if no row is left.
    private static func slice(
        of arms: [Row],
        _ units: Set<String>? = nil,
        after id: Int64,
        limit: Int,
        size: Int64,
        _ database: Database
    ) throws -> (found: [Numbered], end: Int64?) {
        let known = try known(arms)
        let ends = try Row.fetchOne(database, sql: "SELECT min(id), max(id) FROM exposure")!
        guard !known.isEmpty, let first = ends[0] as Int64?, let last = ends[1] as Int64?, id < last else { return ([], nil) }
        let end = max(id, first - 1) + size
        var sql = "SELECT * FROM exposure WHERE id > ? AND id <= ? AND arm IN (SELECT value FROM json_each(?))"
        var arguments: StatementArguments = [id, end, try known.keys.sorted().json]
        if let units {
            sql += " AND unit IN (SELECT value FROM json_each(?))"
            arguments += [try units.sorted().json]
        }
        let rows = try Row.fetchAll(
            database.cachedStatement(sql: "\(sql) ORDER BY id LIMIT ?"), arguments: arguments + [limit])
        return (rows.map { ($0["id"], Exposure(row: $0, known[$0["arm"]]!)) }, end < last ? end : nil)
    }
}

extension Exposure {
    fileprivate init(row: Row, _ arm: ExposureArm) {
        self.init(
            arm: arm, unit: row["unit"], at: Instant(milliseconds: row["at"]),
            source: ExposureSource(caller: row["caller"], storefront: row["storefront"], appVersion: row["app_version"]),
            nonce: Self.nonce(row))
    }

    fileprivate init(rehearsal row: Row) throws {
        guard let kind = BucketingUnit(rawValue: row["kind"]) else {
            throw StoreError(.damaged, "a tester has met something by no known kind of id")
        }
        self.init(
            arm: ExposureArm(
                partition: AppPartition(name: row["bundle_id"]), campaign: row["campaign_id"], revision: row["revision"],
                variant: row["variant"], unitKind: kind),
            unit: row["unit"], at: Instant(milliseconds: row["at"]), source: ExposureSource(caller: ""), nonce: Self.nonce(row),
            isRehearsal: true)
    }

    private static func nonce(_ row: Row) -> UUID? {
        (row["nonce"] as Data?).flatMap { bytes in
            bytes.count == 16 ? bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) } : nil
        }
    }
}

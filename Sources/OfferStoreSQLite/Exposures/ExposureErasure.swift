import FoundationEssentials
import GRDB
import OfferStore

/// Replaces units by pseudonyms: those found beside the writer, and those added meanwhile.
struct ExposureErasure: Sendable {
    /// Units, each with the rows that name it.
    typealias Found = [String: [Int64]]

    private let ids: Set<String>
    private let bundleID: String

    /// - Parameter bundleID: the app, in all of its environments.
    init(_ ids: Set<String>, bundleID: String) {
        self.ids = ids
        self.bundleID = bundleID
    }

    /// The range of the table's row numbers.
    static func bounds(_ database: Database) throws -> Range<Int64> {
        let ends = try Row.fetchOne(database, sql: "SELECT min(id), max(id) FROM exposure")!
        let first = (ends[0] as Int64?) ?? 0
        return first..<max(first, ((ends[1] as Int64?) ?? -1) + 1)
    }

    /// The units found among some rows.
    func found(in rows: Range<Int64>, _ database: Database) throws -> Found {
        let names = AppPartition.environments(of: bundleID).map(\.name)
        let statement = try database.cachedStatement(
            sql: """
                SELECT unit, id FROM exposure WHERE id >= ? AND id < ? AND unit IN (SELECT value FROM json_each(?))
                AND arm IN (SELECT number FROM exposure_arm WHERE bundle_id IN (\(names.placeholders)))
                """)
        let list = try ids.sorted().json
        let arguments: StatementArguments = [rows.lowerBound, rows.upperBound, list]
        var found: Found = [:]
        for row in try Row.fetchAll(statement, arguments: arguments + StatementArguments(names)) {
            found[row[0], default: []].append(row[1])
        }
        return found
    }

    /// Gives each campaign that has one of the ids as a tester its next version. Returns the events that tell of it.
    func noteTesters(_ erasure: AuditEvent, _ functions: AuditFunctions, _ database: Database) throws -> [AuditEvent] {
        let campaigns = try String.fetchAll(
            database,
            sql: """
                SELECT DISTINCT campaign_id FROM campaign_tester
                WHERE bundle_id = ? AND id IN (SELECT value FROM json_each(?)) ORDER BY campaign_id
                """, arguments: [bundleID, try ids.sorted().json])
        return try campaigns.compactMap { id in
            guard let (next, event) = try CampaignRecord.find(id, bundleID, database)?.erasing(ids, erasure, functions) else {
                return nil
            }
            try database.execute(
                sql: "UPDATE campaign SET version = ?, testers_version = ? WHERE bundle_id = ? AND id = ?",
                arguments: [next.version, next.versions.testers, bundleID, id])
            return event
        }
    }

    /// Deletes the testers, rehearsals and holds of the ids. Nothing counts them.
    func removeNames(_ database: Database) throws {
        let names = AppPartition.environments(of: bundleID).map(\.name)
        let list = try ids.sorted().json
        try database.execute(
            sql: "DELETE FROM campaign_tester WHERE bundle_id = ? AND id IN (SELECT value FROM json_each(?))",
            arguments: [bundleID, list])
        if database.changesCount > 0 { try database.noteChange(of: .campaigns) }
        try database.execute(
            sql: """
                DELETE FROM rehearsal
                WHERE bundle_id IN (\(names.placeholders)) AND unit IN (SELECT value FROM json_each(?))
                """,
            arguments: StatementArguments(names) + [list])
        try database.execute(
            sql: """
                DELETE FROM exclusion_hold
                WHERE bundle_id IN (\(names.placeholders)) AND unit IN (SELECT value FROM json_each(?))
                """,
            arguments: StatementArguments(names) + [list])
    }

    /// Replaces each unit by a random pseudonym, the same in all of its rows, so that counts do not change.
    func replace(_ found: Found, _ database: Database) throws {
        let update = try database.cachedStatement(sql: "UPDATE exposure SET unit = ? WHERE id = ?")
        for rows in found.values {
            let pseudonym = try String.fetchOne(database, sql: "SELECT 'erased-' || lower(hex(randomblob(16)))")!
            for row in rows { try update.execute(arguments: [pseudonym, row]) }
        }
    }
}

import EligibilityRules
import GRDB
import OfferStore

extension ExposureArm {
    /// The arm's number in the table; nil for none.
    func number(_ database: Database) throws -> Int64? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT number FROM exposure_arm
                WHERE bundle_id = ? AND campaign_id = ? AND revision = ? AND variant IS ? AND unit_kind = ?
                """)
        return try Int64.fetchOne(statement, arguments: [partition.name, campaign, revision, variant, unitKind.rawValue])
    }

    /// Inserts the arm, and returns its number.
    func insert(_ database: Database) throws -> Int64 {
        try database.cachedStatement(
            sql: "INSERT INTO exposure_arm (bundle_id, campaign_id, revision, variant, unit_kind) VALUES (?, ?, ?, ?, ?)"
        ).execute(arguments: [partition.name, campaign, revision, variant, unitKind.rawValue])
        return database.lastInsertedRowID
    }
}

import EligibilityRules
import GRDB
import OfferStore

/// The table `exclusion_hold`, on the writer's connection.
enum ExclusionHolds {
    /// The campaigns that hold these units.
    static func holders(_ keys: [HoldKey], _ database: Database) throws -> [HoldKey: String] {
        let look = try PreparedStatement(
            database,
            "SELECT campaign_id FROM exclusion_hold WHERE bundle_id = ? AND unit = ? AND unit_kind = ? AND exclusion_group = ?")
        var holders: [HoldKey: String] = [:]
        for key in keys {
            bind(key, to: look)
            defer { look.reset() }
            if try look.step() { holders[key] = look.text(0) }
        }
        return holders
    }

    /// Makes campaigns hold units.
    static func write(_ holders: [HoldKey: String], _ database: Database) throws {
        let insertion = try PreparedStatement(
            database,
            """
            INSERT OR REPLACE INTO exclusion_hold (bundle_id, unit, unit_kind, exclusion_group, campaign_id) VALUES (?, ?, ?, ?, ?)
            """)
        for (key, campaign) in holders {
            bind(key, to: insertion)
            insertion.bind(campaign, at: 5)
            try insertion.run()
        }
    }

    private static func bind(_ key: HoldKey, to statement: PreparedStatement) {
        statement.bind(key.partition.name, at: 1)
        statement.bind(key.unit, at: 2)
        statement.bind(key.unitKind.rawValue, at: 3)
        statement.bind(key.group, at: 4)
    }
}

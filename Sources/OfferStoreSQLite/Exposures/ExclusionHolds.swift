import EligibilityRules
import GRDB
import OfferStore

/// Who is held by which campaign of an exclusion group, on the writer's connection: made anew for each transaction.
struct ExclusionHolds {
    private let look: PreparedStatement
    private let insertion: PreparedStatement

    init(_ database: Database) throws {
        look = try PreparedStatement(
            database,
            "SELECT campaign_id FROM exclusion_hold WHERE bundle_id = ? AND unit = ? AND unit_kind = ? AND exclusion_group = ?")
        insertion = try PreparedStatement(
            database,
            """
            INSERT OR REPLACE INTO exclusion_hold (bundle_id, unit, unit_kind, exclusion_group, campaign_id) VALUES (?, ?, ?, ?, ?)
            """)
    }

    /// The campaigns that keep exposures from being recorded; empty if none does.
    func findings(_ exposures: [Exposure]) throws -> [LimitFinding] {
        var findings: [LimitFinding] = []
        for exposure in exposures {
            guard let group = exposure.exclusionGroup, let holder = try holder(exposure, group), holder != exposure.campaign,
                holder != exposure.replacing
            else { continue }
            let hold = ExclusionHold(group: group, unitKind: exposure.unitKind, unit: exposure.unit, campaign: holder)
            findings.append(LimitFinding(group, .held(hold)))
        }
        return findings
    }

    /// Has the campaigns hold, which nothing keeps from it.
    func insert(_ exposures: [Exposure]) throws {
        for exposure in exposures {
            guard let group = exposure.exclusionGroup, try holder(exposure, group) != exposure.campaign else { continue }
            bind(exposure, group, to: insertion)
            insertion.bind(exposure.campaign, at: 5)
            try insertion.run()
        }
    }

    private func holder(_ exposure: Exposure, _ group: String) throws -> String? {
        bind(exposure, group, to: look)
        defer { look.reset() }
        return try look.step() ? look.text(0) : nil
    }

    private func bind(_ exposure: Exposure, _ group: String, to statement: PreparedStatement) {
        statement.bind(exposure.bundleID, at: 1)
        statement.bind(exposure.unit, at: 2)
        statement.bind(exposure.unitKind.rawValue, at: 3)
        statement.bind(group, at: 4)
    }
}

import EligibilityRules
import FoundationEssentials
import GRDB
import OfferStore

extension CampaignRecord {
    static let selection = """
        SELECT campaign.*, draft.document AS draft_document, based_on, draft.authors AS draft_authors, saved_at, saved_by,
            saved_reason, submitted_at, submitted_by, submitted_reason, is_approved, ruled_at, ruled_by, ruled_reason, number,
            latest.document AS document, latest.authors AS authors, approved_at, approved_by, approved_reason, published_at,
            published_by, published_reason, copy_of, \(CampaignTester.selection) AS testers
        FROM campaign
        LEFT JOIN campaign_draft AS draft ON draft.bundle_id = campaign.bundle_id AND draft.campaign_id = id
        LEFT JOIN campaign_revision AS latest ON latest.bundle_id = campaign.bundle_id AND latest.campaign_id = id
            AND number = (
                SELECT max(number) FROM campaign_revision AS any
                WHERE any.bundle_id = campaign.bundle_id AND any.campaign_id = id
            )
        """

    init(row: Row) throws {
        try self.init(
            id: row["id"], bundleID: row["bundle_id"],
            versions: CampaignVersions(
                campaign: row["version"], draft: row["draft_version"], standing: row["standing_version"],
                testers: row["testers_version"]),
            draft: row["draft_document"] == nil ? nil : CampaignDraft(row: row),
            published: row["number"] == nil ? nil : CampaignPublication(row: row),
            status: CampaignStatus(
                CampaignStanding(stored: row["standing"]), by: CampaignAct("stood", row), isArchived: row["is_archived"]),
            testers: CampaignTester.list(stored: row["testers"]),
            acts: CampaignActs(
                created: CampaignAct("created", row), step: row["step"], changed: CampaignAct("changed", row)))
    }

    static func find(_ id: String, _ bundleID: String, _ database: Database) throws -> CampaignRecord? {
        let sql = selection + " WHERE campaign.bundle_id = ? AND id = ?"
        return try Row.fetchOne(database, sql: sql, arguments: [bundleID, id]).map(CampaignRecord.init)
    }

    func write(_ database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO campaign VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET version = excluded.version, draft_version = excluded.draft_version,
                    standing_version = excluded.standing_version, standing = excluded.standing, stood_at = excluded.stood_at,
                    stood_by = excluded.stood_by, stood_reason = excluded.stood_reason, created_at = excluded.created_at,
                    created_by = excluded.created_by, created_reason = excluded.created_reason,
                    testers_version = excluded.testers_version, step = excluded.step, changed_at = excluded.changed_at,
                    changed_by = excluded.changed_by, changed_reason = excluded.changed_reason,
                    is_archived = excluded.is_archived
                """,
            arguments: [
                bundleID, id, version, versions.draft, versions.standing, acts.created.at.milliseconds, acts.created.by,
                acts.created.reason,
                status.standing.rawValue, status.change.at.milliseconds, status.change.by, status.change.reason, versions.testers,
                acts.step,
                acts.changed.at.milliseconds, acts.changed.by, acts.changed.reason, status.isArchived,
            ])
    }

    func writeTesters(_ database: Database) throws {
        try database.execute(
            sql: "DELETE FROM campaign_tester WHERE bundle_id = ? AND campaign_id = ?", arguments: [bundleID, id])
        for (place, tester) in testers.enumerated() {
            try database.execute(
                sql: "INSERT INTO campaign_tester VALUES (?, ?, ?, ?, ?, ?, ?)",
                arguments: [bundleID, id, place, tester.kind.rawValue, tester.id, tester.variant, tester.note])
        }
    }

    func writeDraft(_ database: Database) throws {
        try database.execute(
            sql: "DELETE FROM campaign_draft WHERE bundle_id = ? AND campaign_id = ?", arguments: [bundleID, id])
        guard let draft else { return }
        let (submitted, ruling) = (draft.review?.submitted, draft.review?.ruling)
        try database.execute(
            sql: "INSERT INTO campaign_draft VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                bundleID, id, Data(draft.document), draft.basedOn, draft.authors.lines,
                draft.saved.at.milliseconds, draft.saved.by, draft.saved.reason,
                submitted?.at.milliseconds, submitted?.by, submitted?.reason,
                ruling?.isApproval, ruling?.act.at.milliseconds, ruling?.act.by, ruling?.act.reason,
            ])
    }

    func addPublished(_ database: Database) throws {
        guard let published else { return }
        try database.execute(
            sql: "INSERT INTO campaign_revision VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                bundleID, id, published.number, Data(published.document), published.authors.lines,
                published.approved.at.milliseconds, published.approved.by, published.approved.reason,
                published.published.at.milliseconds, published.published.by, published.published.reason, published.copyOf,
            ])
    }
}

import EligibilityRules
import GRDB
import OfferStore

extension CampaignActivity {
    init(row: Row) {
        self.init(number: row["number"], step: row["step"], act: CampaignAct("done", row), revision: row["revision"])
    }

    /// Adds the entry behind those of the campaign.
    func add(to record: CampaignRecord, _ database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO campaign_activity
                SELECT ?1, ?2, coalesce(max(number), 0) + 1, ?3, ?4, ?5, ?6, ?7 FROM campaign_activity
                WHERE bundle_id = ?1 AND campaign_id = ?2
                """,
            arguments: [record.bundleID, record.id, step, act.at.milliseconds, act.by, act.reason, revision])
    }
}

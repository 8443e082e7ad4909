import EligibilityRules
import OfferStore

extension CampaignActivity {
    static let selection = """
        SELECT number, step, done_at, done_by, done_reason, revision FROM campaign_activity
        WHERE bundle_id = $1 AND campaign_id = $2 AND number < $3 AND ($5 OR done_reason <> '') ORDER BY number DESC LIMIT $4
        """

    init(_ row: Row) {
        self.init(number: row.number(0), step: row.text(1), act: CampaignAct(row, 2), revision: Int(row.number(5)))
    }

    /// Returns the statement that adds entries behind those of a campaign.
    static func addition(_ entries: [CampaignActivity], to record: CampaignRecord) -> Statement {
        Statement(
            """
            INSERT INTO campaign_activity (bundle_id, campaign_id, number, step, done_at, done_by, done_reason, revision)
            SELECT $1, $2, place + (
                    SELECT coalesce(max(number), 0) FROM campaign_activity WHERE bundle_id = $1 AND campaign_id = $2
                ), step, at, actor, reason, revision
            FROM unnest($3, $4, $5, $6, $7) WITH ORDINALITY AS entry (step, at, actor, reason, revision, place)
            """,
            [
                .text(record.bundleID), .text(record.id), .texts(entries.map(\.step)),
                .numbers(entries.map(\.act.at.milliseconds)), .texts(entries.map(\.act.by)), .texts(entries.map(\.act.reason)),
                .numbers(entries.map { Int64($0.revision) }),
            ])
    }
}

import EligibilityRules
import FoundationEssentials
import GRDB
import OfferStore

extension CampaignTester {
    /// Selects the testers of a query's `campaign`, in order, as one JSON text.
    static let selection = """
        (
            SELECT json_group_array(json_array(kind, id, variant, note)) FROM (
                SELECT kind, tester.id AS id, variant, note FROM campaign_tester AS tester
                WHERE tester.bundle_id = campaign.bundle_id AND tester.campaign_id = campaign.id ORDER BY place
            )
        )
        """

    /// Parses the result of the selection. Throws if it is invalid.
    static func list(stored text: String) throws -> [CampaignTester] {
        guard text != "[]" else { return [] }
        return try JSONDecoder().decode([[String]].self, from: Data(text.utf8)).map(CampaignTester.init(stored:))
    }
}

extension RehearsedCampaign {
    static let selection = """
        SELECT campaign.id AS id, campaign.bundle_id AS bundle_id, draft.document AS draft_document, latest.document AS document,
            number, \(CampaignTester.selection) AS testers
        FROM campaign
        LEFT JOIN campaign_draft AS draft ON draft.bundle_id = campaign.bundle_id AND draft.campaign_id = campaign.id
        LEFT JOIN campaign_revision AS latest ON latest.bundle_id = campaign.bundle_id AND latest.campaign_id = campaign.id
            AND number = (
                SELECT max(number) FROM campaign_revision AS any
                WHERE any.bundle_id = campaign.bundle_id AND any.campaign_id = campaign.id
            )
        WHERE campaign.bundle_id = ? AND standing <> ? AND EXISTS (
            SELECT 1 FROM campaign_tester AS tester
            WHERE tester.bundle_id = campaign.bundle_id AND tester.campaign_id = campaign.id
        )
        ORDER BY campaign.id
        """

    init(row: Row) throws {
        try self.init(
            id: row["id"], bundleID: row["bundle_id"], draft: (row["draft_document"] as Data?).map { Array($0) },
            number: (row["number"] as Int?) ?? 0, published: (row["document"] as Data?).map { Array($0) },
            testers: CampaignTester.list(stored: row["testers"]))
    }
}

import EligibilityRules
import FoundationEssentials
import GRDB
import OfferStore

extension CampaignAct {
    /// - Parameter name: the prefix of the act's columns. An attacker may have left some NULL.
    init(_ name: String, _ row: Row) {
        self.init(
            at: Instant(milliseconds: row["\(name)_at"] ?? 0), by: row["\(name)_by"] ?? "", reason: row["\(name)_reason"] ?? "")
    }
}

extension CampaignDraft {
    init(row: Row) {
        let isApproval: Bool? = row["is_approved"]
        let ruling = isApproval.map { CampaignReview.Ruling(isApproval: $0, act: CampaignAct("ruled", row)) }
        let isSubmitted = (row["submitted_at"] as Int64?) != nil
        self.init(
            document: Array(row["draft_document"] as Data), basedOn: row["based_on"], authors: Array(lines: row["draft_authors"]),
            saved: CampaignAct("saved", row),
            review: isSubmitted ? CampaignReview(submitted: CampaignAct("submitted", row), ruling: ruling) : nil)
    }
}

extension CampaignPublication {
    init(row: Row) {
        self.init(
            number: row["number"], document: Array(row["document"] as Data), authors: Array(lines: row["authors"]),
            approved: CampaignAct("approved", row), published: CampaignAct("published", row), copyOf: row["copy_of"])
    }
}

extension LiveCampaign {
    // Selects the latest revision of each campaign. With max(), SQLite takes bare columns from the row of the maximum.
    static let selection = """
        SELECT id, campaign.bundle_id AS bundle_id, standing, max(number) AS number, document
        FROM campaign JOIN campaign_revision AS revision
            ON revision.bundle_id = campaign.bundle_id AND revision.campaign_id = campaign.id
        WHERE campaign.bundle_id = ? AND standing IN (?, ?) GROUP BY id ORDER BY id
        """

    init(row: Row) throws {
        try self.init(
            id: row["id"], bundleID: row["bundle_id"], number: row["number"], document: Array(row["document"] as Data),
            standing: CampaignStanding(stored: row["standing"]))
    }
}

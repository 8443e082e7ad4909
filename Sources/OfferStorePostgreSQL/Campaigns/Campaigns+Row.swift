import EligibilityRules
import OfferStore

extension CampaignAct {
    /// - Parameter column: the first of the columns time, actor and reason. An attacker may have left the
    ///   time NULL.
    init(_ row: Row, _ column: Int32) {
        self.init(
            at: row.optionalInstant(column) ?? Instant(milliseconds: 0), by: row.text(column + 1), reason: row.text(column + 2))
    }

    /// The three columns of an act; all NULL for nil.
    static func values(_ act: CampaignAct?) -> [Value] { [.instant(act?.at), .text(act?.by), .text(act?.reason)] }
}

extension CampaignDraft {
    /// Selects the draft of a query's `campaign`.
    static let selection = """
        SELECT document, based_on, authors, saved_at, saved_by, saved_reason, submitted_at, submitted_by, submitted_reason,
            is_approved, ruled_at, ruled_by, ruled_reason
        FROM campaign_draft WHERE campaign_draft.bundle_id = campaign.bundle_id AND campaign_id = campaign.id
        """

    /// - Parameter column: the first column of the selection.
    init(_ row: Row, _ column: Int32) {
        let ruling =
            row.isNull(column + 9)
            ? nil : CampaignReview.Ruling(isApproval: row.flag(column + 9), act: CampaignAct(row, column + 10))
        self.init(
            document: row.bytes(column), basedOn: Int(row.number(column + 1)), authors: Array(lines: row.text(column + 2)),
            saved: CampaignAct(row, column + 3),
            review: row.isNull(column + 6) ? nil : CampaignReview(submitted: CampaignAct(row, column + 6), ruling: ruling))
    }
}

extension CampaignPublication {
    static let columns = """
        number, document, authors, approved_at, approved_by, approved_reason, published_at, published_by, published_reason, copy_of
        """
    static let selection = "SELECT \(columns) FROM campaign_revision"

    /// Selects the latest revision of a query's `campaign`.
    static let latestSelection = """
        \(selection) WHERE campaign_revision.bundle_id = campaign.bundle_id AND campaign_id = campaign.id
        ORDER BY number DESC LIMIT 1
        """

    /// - Parameter column: the first column of the selection.
    init(_ row: Row, _ column: Int32 = 0) {
        self.init(
            number: Int(row.number(column)), document: row.bytes(column + 1), authors: Array(lines: row.text(column + 2)),
            approved: CampaignAct(row, column + 3), published: CampaignAct(row, column + 6),
            copyOf: row.optionalNumber(column + 9).map(Int.init))
    }
}

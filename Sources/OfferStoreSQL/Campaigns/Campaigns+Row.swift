import EligibilityRules
import OfferStore

extension CampaignDraft {
    static let columns = """
        draft.document, based_on, draft.authors, saved_at, saved_by, saved_reason, submitted_at, submitted_by, submitted_reason,
            is_approved, ruled_at, ruled_by, ruled_reason
        """
    static let join =
        "LEFT JOIN campaign_draft AS draft ON draft.bundle_id = campaign.bundle_id AND draft.campaign_id = campaign.id"

    /// - Parameter column: the first of the columns.
    init(_ row: some SQLRow, _ column: Int32) {
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
        number, revision.document, revision.authors, approved_at, approved_by, approved_reason, published_at, published_by,
            published_reason, copy_of
        """
    /// Joins the latest revision with a query's `campaign`.
    static let latestRevision = """
        JOIN campaign_revision AS revision ON revision.bundle_id = campaign.bundle_id AND revision.campaign_id = campaign.id
            AND revision.number = (
                SELECT max(number) FROM campaign_revision AS other
                WHERE other.bundle_id = campaign.bundle_id AND other.campaign_id = campaign.id
            )
        """

    /// - Parameter column: the first of the columns.
    init(_ row: some SQLRow, _ column: Int32 = 0) {
        self.init(
            number: Int(row.number(column)), document: row.bytes(column + 1), authors: Array(lines: row.text(column + 2)),
            approved: CampaignAct(row, column + 3), published: CampaignAct(row, column + 6),
            copyOf: row.optionalNumber(column + 9).map(Int.init))
    }
}

extension CampaignTester {
    /// - Parameter column: the first of the columns kind, id, variant and note.
    init(_ row: some SQLRow, _ column: Int32) throws(StoreError) {
        try self.init(stored: (column..<column + 4).map { row.text($0) })
    }
}

/// The testers of some campaigns.
struct CampaignTesters {
    private struct Campaign: Hashable {
        let bundleID: String
        let id: String
    }

    private var lists: [Campaign: [CampaignTester]] = [:]

    /// Reads the testers of the campaigns that a condition selects. Throws if they are invalid.
    init(where condition: String, _ values: [SQLValue], _ transaction: some SQLTransaction) throws {
        try transaction.run(
            """
            SELECT bundle_id, campaign_id, kind, id, variant, note FROM campaign_tester
            WHERE (bundle_id, campaign_id) IN (SELECT campaign.bundle_id, campaign.id FROM campaign WHERE \(condition)) ORDER BY place
            """, values
        ).forEach { row in
            let campaign = Campaign(bundleID: row.text(0), id: row.text(1))
            lists[campaign, default: []].append(try CampaignTester(row, 2))
        }
    }

    /// The testers of a campaign in their order; empty for none.
    func of(_ id: String, _ bundleID: String) -> [CampaignTester] { lists[Campaign(bundleID: bundleID, id: id)] ?? [] }
}

extension LiveCampaign {
    /// The campaigns of some apps that are live or paused.
    static func list<Transaction: SQLTransaction>(_ bundleIDs: Set<String>, _ transaction: Transaction) throws -> [LiveCampaign] {
        let standings = [CampaignStanding.live, .paused].map { "'\($0.rawValue)'" }.joined(separator: ", ")
        return try transaction.run(
            """
            SELECT campaign.id, campaign.bundle_id, number, document, standing FROM campaign \(CampaignPublication.latestRevision)
            WHERE campaign.bundle_id \(Transaction.dialect.isAny("$1")) AND standing IN (\(standings))
            ORDER BY campaign.bundle_id, campaign.id
            """, .texts(bundleIDs.sorted())
        ).map { row in
            LiveCampaign(
                id: row.text(0), bundleID: row.text(1), number: Int(row.number(2)), document: row.bytes(3),
                standing: try CampaignStanding(stored: row.text(4)))
        }
    }
}

extension RehearsedCampaign {
    /// The campaigns of some apps that have testers, in the order of app and id.
    static func list<Transaction: SQLTransaction>(
        _ bundleIDs: Set<String>,
        _ transaction: Transaction
    ) throws -> [RehearsedCampaign] {
        let isTried = """
            campaign.bundle_id \(Transaction.dialect.isAny("$1")) AND standing <> $2 AND EXISTS (
                SELECT 1 FROM campaign_tester AS tester
                WHERE tester.bundle_id = campaign.bundle_id AND tester.campaign_id = campaign.id
            )
            """
        let values: [SQLValue] = [.texts(bundleIDs.sorted()), .text(CampaignStanding.ended.rawValue)]
        let testers = try CampaignTesters(where: isTried, values, transaction)
        return try transaction.run(
            """
            SELECT campaign.id, campaign.bundle_id, draft.document, number, revision.document
            FROM campaign \(CampaignDraft.join) LEFT \(CampaignPublication.latestRevision)
            WHERE \(isTried) ORDER BY campaign.bundle_id, campaign.id
            """, values
        ).map { row in
            let (id, bundleID) = (row.text(0), row.text(1))
            return RehearsedCampaign(
                id: id, bundleID: bundleID, draft: row.isNull(2) ? nil : row.bytes(2),
                number: Int(row.optionalNumber(3) ?? 0), published: row.isNull(4) ? nil : row.bytes(4),
                testers: testers.of(id, bundleID))
        }
    }
}

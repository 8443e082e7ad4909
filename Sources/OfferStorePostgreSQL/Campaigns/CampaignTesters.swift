import EligibilityRules
import OfferStore

/// The testers of some campaigns.
struct CampaignTesters {
    private struct Campaign: Hashable {
        let bundleID: String
        let id: String
    }

    private var lists: [Campaign: [CampaignTester]] = [:]

    /// - Parameter campaigns: a query that returns campaigns by app and id.
    static func selection(_ campaigns: String) -> String {
        """
        SELECT bundle_id, campaign_id, kind, id, variant, note FROM campaign_tester
        WHERE (bundle_id, campaign_id) IN (\(campaigns)) ORDER BY place
        """
    }

    /// Reads the rows of the selection. Throws if they are invalid.
    init(_ rows: Rows) throws {
        try rows.forEach { row in
            let campaign = Campaign(bundleID: row.text(0), id: row.text(1))
            lists[campaign, default: []].append(try CampaignTester(row, 2))
        }
    }

    /// The testers of a campaign in their order; empty for none.
    func of(_ id: String, _ bundleID: String) -> [CampaignTester] { lists[Campaign(bundleID: bundleID, id: id)] ?? [] }
}

extension CampaignTester {
    /// - Parameter column: the first of the columns kind, id, variant and note.
    init(_ row: Row, _ column: Int32) throws(StoreError) {
        try self.init(stored: (column..<column + 4).map { row.text($0) })
    }
}

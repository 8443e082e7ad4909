package import OfferStore

extension StateComparison {
    private static let page = 200

    /// Compares campaigns, segments, proposals and endpoints with their events.
    ///
    /// Returns the first difference; nil for none.
    ///
    /// It reads all events and then the rows, with the documents of only some campaigns in memory at a time.
    package static func fault(_ identity: AuditIdentity, _ transaction: some SQLTransaction) throws -> AuditFault? {
        try fault(identity.functions) { comparison in
            try RecordedEvent.eachRecorded(actions, identity, transaction) { comparison.take($0) }
            try comparison.compareRevisions(transaction)
            var campaigns: [CampaignRecord] = []
            repeat {
                campaigns = try CampaignRecord.page(after: campaigns.last, limit: page, transaction)
                for campaign in campaigns { comparison.compare(campaign) }
            } while campaigns.count == page
            try transaction.run(
                """
                SELECT bundle_id, campaign_id FROM campaign_draft UNION SELECT bundle_id, campaign_id FROM campaign_tester
                EXCEPT SELECT bundle_id, id FROM campaign ORDER BY 1, 2
                """
            ).forEach { comparison.compare(strayOf: $0.text(1), $0.text(0)) }
            try transaction.run("\(SegmentRecord.selection) ORDER BY bundle_id, id").forEach {
                comparison.compare(SegmentRecord($0))
            }
            try transaction.run("\(KeyProposal.selection) ORDER BY id").forEach { comparison.compare(KeyProposal($0)) }
            try transaction.run("SELECT endpoint, disabled_at FROM event_endpoint ORDER BY endpoint").forEach {
                comparison.compare(endpoint: $0.text(0), disabledAt: $0.instant(1))
            }
        }
    }

    private mutating func compareRevisions(_ transaction: some SQLTransaction) throws {
        var last: (app: String?, campaign: String?, number: Int64) = (nil, nil, 0)
        var count = Self.page
        while count == Self.page {
            let rows = try transaction.run(
                """
                SELECT \(CampaignPublication.columns), bundle_id, campaign_id FROM campaign_revision AS revision
                WHERE $1 IS NULL OR (bundle_id, campaign_id, number) > ($1, $2, $3)
                ORDER BY bundle_id, campaign_id, number LIMIT $4
                """, .text(last.app), .text(last.campaign), .number(last.number), .number(Int64(Self.page)))
            count = rows.count
            rows.forEach { row in
                last = (row.text(10), row.text(11), row.number(0))
                compare(CampaignPublication(row), of: row.text(11), row.text(10))
            }
        }
    }
}

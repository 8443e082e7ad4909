import OfferStore

extension RehearsedCampaign {
    private static let isTried = """
        bundle_id = ANY ($1) AND standing <> $2 AND EXISTS (
            SELECT FROM campaign_tester
            WHERE campaign_tester.bundle_id = campaign.bundle_id AND campaign_id = campaign.id
        )
        """

    private static let selection = """
        SELECT id, bundle_id, draft.document, number, latest.document
        FROM campaign
        LEFT JOIN LATERAL (\(CampaignDraft.selection)) AS draft ON true
        LEFT JOIN LATERAL (\(CampaignPublication.latestSelection)) AS latest ON true
        WHERE \(isTried) ORDER BY bundle_id, id
        """

    /// The campaigns of some apps that have testers, in the order of app and id.
    static func list(_ bundleIDs: Set<String>, _ transaction: Transaction) throws -> [RehearsedCampaign] {
        let values: [Value] = [.texts(bundleIDs.sorted()), .text(CampaignStanding.ended.rawValue)]
        let rows = Array(
            try transaction.run([
                Statement(selection, values),
                Statement(CampaignTesters.selection("SELECT bundle_id, id FROM campaign WHERE \(isTried)"), values),
            ]))
        let testers = try CampaignTesters(rows[1])
        return rows[0].map { row in
            let (id, bundleID) = (row.text(0), row.text(1))
            return RehearsedCampaign(
                id: id, bundleID: bundleID, draft: row.isNull(2) ? nil : row.bytes(2),
                number: Int(row.optionalNumber(3) ?? 0), published: row.isNull(4) ? nil : row.bytes(4),
                testers: testers.of(id, bundleID))
        }
    }
}

import OfferStore

extension LiveCampaign {
    /// Selects the live campaigns of some apps.
    static let selection = """
        SELECT id, bundle_id, number, document, standing
        FROM campaign CROSS JOIN LATERAL (\(CampaignPublication.latestSelection)) AS latest
        WHERE bundle_id = ANY ($1) AND standing = ANY ($2) ORDER BY bundle_id, id
        """

    init(_ row: Row) throws(StoreError) {
        self.init(
            id: row.text(0), bundleID: row.text(1), number: Int(row.number(2)), document: row.bytes(3),
            standing: try CampaignStanding(stored: row.text(4)))
    }
}

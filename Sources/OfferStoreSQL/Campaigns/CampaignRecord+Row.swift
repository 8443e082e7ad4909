import EligibilityRules
package import OfferStore

extension CampaignRecord {
    private static let selection = """
        SELECT campaign.id, campaign.bundle_id, version, draft_version, standing_version, testers_version, created_at, created_by,
            created_reason, standing, stood_at, stood_by, stood_reason, step, changed_at, changed_by, changed_reason, is_archived,
            \(CampaignPublication.columns), \(CampaignDraft.columns)
        FROM campaign \(CampaignDraft.join) LEFT \(CampaignPublication.latestRevision)
        """

    package static func find(_ id: String, _ bundleID: String, _ transaction: some SQLTransaction) throws -> CampaignRecord? {
        try records("campaign.bundle_id = $1 AND campaign.id = $2", [.text(bundleID), .text(id)], transaction).first
    }

    /// The campaigns of an app after an id, in the order of ids.
    static func list(
        of bundleID: String,
        after id: String?,
        limit: Int,
        _ transaction: some SQLTransaction
    ) throws -> [CampaignRecord] {
        try records(
            "campaign.bundle_id = $1 AND ($2 IS NULL OR campaign.id > $2) ORDER BY campaign.id LIMIT $3",
            [.text(bundleID), .text(id), .number(Int64(limit))], transaction)
    }

    /// The campaigns of an app that have one of these ids, in the order of ids.
    static func list<Transaction: SQLTransaction>(
        of bundleID: String,
        ids: Set<String>,
        _ transaction: Transaction
    ) throws -> [CampaignRecord] {
        try records(
            "campaign.bundle_id = $1 AND campaign.id \(Transaction.dialect.isAny("$2")) ORDER BY campaign.id",
            [.text(bundleID), .texts(ids.sorted())], transaction)
    }

    /// The campaigns of all apps that follow `last`, in the order of app and id.
    package static func page(
        after last: CampaignRecord?,
        limit: Int,
        _ transaction: some SQLTransaction
    ) throws -> [CampaignRecord] {
        try records(
            """
            ($1 IS NULL OR (campaign.bundle_id, campaign.id) > ($1, $2)) ORDER BY campaign.bundle_id, campaign.id LIMIT $3
            """, [.text(last?.bundleID), .text(last?.id), .number(Int64(limit))], transaction)
    }

    private static func records(
        _ condition: String,
        _ values: [SQLValue],
        _ transaction: some SQLTransaction
    ) throws -> [CampaignRecord] {
        let testers = try CampaignTesters(where: condition, values, transaction)
        return try transaction.run("\(selection) WHERE \(condition)", values).map { try CampaignRecord($0, testers) }
    }

    private init(_ row: some SQLRow, _ testers: CampaignTesters) throws {
        let (id, bundleID) = (row.text(0), row.text(1))
        try self.init(
            id: id, bundleID: bundleID,
            versions: CampaignVersions(
                campaign: row.number(2), draft: row.number(3), standing: row.number(4), testers: row.number(5)),
            draft: row.isNull(28) ? nil : CampaignDraft(row, 28),
            published: row.isNull(18) ? nil : CampaignPublication(row, 18),
            status: CampaignStatus(
                CampaignStanding(stored: row.text(9)), by: CampaignAct(row, 10), isArchived: row.flag(17)),
            testers: testers.of(id, bundleID),
            acts: CampaignActs(created: CampaignAct(row, 6), step: row.text(13), changed: CampaignAct(row, 14)))
    }
}

import OfferStore

/// Queries for campaigns of one app.
enum CampaignReading {
    // `CampaignRecord.init` depends on the order of the columns.
    private static let selection = """
        SELECT id, bundle_id, version, draft_version, standing_version, testers_version, created_at, created_by, created_reason,
            standing, stood_at, stood_by, stood_reason, step, changed_at, changed_by, changed_reason, is_archived, latest.*, draft.*
        FROM campaign
        LEFT JOIN LATERAL (\(CampaignPublication.latestSelection)) AS latest ON true
        LEFT JOIN LATERAL (\(CampaignDraft.selection)) AS draft ON true
        """

    /// A campaign; nil if there is none.
    static func find(_ id: String, _ bundleID: String, _ transaction: Transaction) throws -> CampaignRecord? {
        try records(where: "bundle_id = $1 AND id = $2", [.text(bundleID), .text(id)], transaction).first
    }

    /// The campaigns after an id, in the order of ids.
    static func list(
        of bundleID: String,
        after id: String?,
        limit: Int,
        _ transaction: Transaction
    ) throws -> [CampaignRecord] {
        try records(
            where: "bundle_id = $1 AND ($2 IS NULL OR id > $2) ORDER BY id LIMIT $3",
            [.text(bundleID), .text(id), .number(Int64(limit))], transaction)
    }

    /// Campaigns of all apps after one, in the order of app and id.
    static func page(after last: CampaignRecord?, limit: Int64, _ transaction: Transaction) throws -> [CampaignRecord] {
        try records(
            where: "($1 IS NULL OR (bundle_id, id) > ($1, $2)) ORDER BY bundle_id, id LIMIT $3",
            [.text(last?.bundleID), .text(last?.id), .number(limit)], transaction)
    }

    private static func records(
        where condition: String,
        _ values: [Value],
        _ transaction: Transaction
    ) throws -> [CampaignRecord] {
        let rows = Array(
            try transaction.run([
                Statement("\(selection) WHERE \(condition)", values),
                Statement(CampaignTesters.selection("SELECT bundle_id, id FROM campaign WHERE \(condition)"), values),
            ]))
        let testers = try CampaignTesters(rows[1])
        return try rows[0].map { try CampaignRecord($0, testers) }
    }
}

extension CampaignRecord {
    fileprivate init(_ row: Row, _ testers: CampaignTesters) throws {
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

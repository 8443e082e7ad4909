public import EligibilityRules
public import OfferStore

/// Campaigns in PostgreSQL.
public struct PostgreSQLCampaignStore: CampaignStore {
    private let store: PostgreSQLStore

    /// Shares the store's sessions with the other stores.
    public init(_ store: PostgreSQLStore) { self.store = store }

    /// Uses the primary key.
    public func campaigns(of bundleID: String, after id: String?, limit: Int) async throws(StoreError) -> [CampaignRecord] {
        try await store.scan("list the campaigns") { try CampaignReading.list(of: bundleID, after: id, limit: limit, $0) }
    }

    /// Uses the primary key.
    public func campaign(id: String, bundleID: String) async throws(StoreError) -> CampaignRecord? {
        try await store.read("look up a campaign") { try CampaignReading.find(id, bundleID, $0) }
    }

    /// Uses the primary key.
    public func publications(
        of id: String,
        bundleID: String,
        before number: Int?,
        limit: Int
    ) async throws(StoreError) -> [CampaignPublication] {
        try await store.scan("list the revisions of a campaign") { transaction in
            let rows = try transaction.run(
                """
                \(CampaignPublication.selection) WHERE bundle_id = $1 AND campaign_id = $2 AND number < $3
                ORDER BY number DESC LIMIT $4
                """, .text(bundleID), .text(id), .number(Int64(number ?? .max)), .number(Int64(limit)))
            return rows.map { CampaignPublication($0) }
        }
    }

    /// Uses the primary key.
    public func publication(_ number: Int, of id: String, bundleID: String) async throws(StoreError) -> CampaignPublication? {
        try await store.read("look up a revision of a campaign") { transaction in
            let sql = CampaignPublication.selection + " WHERE bundle_id = $1 AND campaign_id = $2 AND number = $3"
            return try transaction.run(sql, .text(bundleID), .text(id), .number(Int64(number)))
                .first { CampaignPublication($0) }
        }
    }

    /// Uses the primary key.
    public func activity(
        of id: String,
        bundleID: String,
        before number: Int64?,
        hasReason: Bool,
        limit: Int
    ) async throws(StoreError) -> [CampaignActivity] {
        try await store.scan("list the activity of a campaign") { transaction in
            try transaction.run(
                CampaignActivity.selection, .text(bundleID), .text(id), .number(number ?? .max), .number(Int64(limit)),
                .flag(!hasReason)
            ).map { CampaignActivity($0) }
        }
    }

    /// Uses one statement.
    public func live(bundleIDs: Set<String>) async throws(StoreError) -> [LiveCampaign] {
        try await store.read("read what is published of the campaigns") { transaction in
            let standings = [CampaignStanding.live, .paused].map(\.rawValue)
            return try transaction.run(LiveCampaign.selection, .texts(Array(bundleIDs)), .texts(standings))
                .map(LiveCampaign.init)
        }
    }

    /// Uses one statement.
    public func ended(bundleIDs: Set<String>) async throws(StoreError) -> [String: Set<String>] {
        try await store.read("read which campaigns have ended") { transaction in
            var ended: [String: Set<String>] = [:]
            let rows = try transaction.run(
                "SELECT bundle_id, id FROM campaign WHERE bundle_id = ANY ($1) AND standing = $2", .texts(Array(bundleIDs)),
                .text(CampaignStanding.ended.rawValue))
            rows.forEach { ended[$0.text(0), default: []].insert($0.text(1)) }
            return ended
        }
    }

    /// Reads in one snapshot.
    public func rehearsed(bundleIDs: Set<String>) async throws(StoreError) -> [RehearsedCampaign] {
        try await store.read("read who tries campaigns") { try RehearsedCampaign.list(bundleIDs, $0) }
    }

    /// Scans the app's testers.
    public func testers(withIDs ids: Set<String>, bundleID: String) async throws(StoreError) -> [NamedTester] {
        try await store.read("look for testers") { transaction in
            let rows = try transaction.run(
                """
                SELECT campaign_id, kind, id, variant, note FROM campaign_tester
                WHERE bundle_id = $1 AND id = ANY ($2) ORDER BY campaign_id, place
                """, .text(bundleID), .texts(Array(ids)))
            return try rows.map { ($0.text(0), try CampaignTester($0, 1)) }
        }
    }

    /// Uses the primary key.
    public func counted(of bundleID: String) async throws(StoreError) -> [CountedCampaign] {
        try await store.read("read the figures of campaigns") { transaction in
            let sql = "SELECT campaign_id, counted_at, figures FROM campaign_figures WHERE bundle_id = $1 ORDER BY campaign_id"
            return try transaction.run(sql, .text(bundleID)).map { row in
                CountedCampaign(
                    id: row.text(0), bundleID: bundleID, countedAt: Instant(milliseconds: row.number(1)), figures: row.bytes(2))
            }
        }
    }

    /// Compares the instant and writes in one transaction.
    public func write(
        _ counted: CountedCampaign,
        after last: Instant?,
        audit events: [AuditEvent]
    ) async throws(StoreError) -> Bool {
        try await store.writeAudited("write the figures of a campaign") { transaction, audit in
            let name: [Value] = [.text(counted.bundleID), .text(counted.id)]
            let now = try transaction.run(
                "SELECT counted_at FROM campaign_figures WHERE bundle_id = $1 AND campaign_id = $2", name[0], name[1]
            ).first { $0.number(0) }
            guard now == last?.milliseconds else { return false }
            transaction.enqueue(
                Statement(
                    """
                    INSERT INTO campaign_figures (bundle_id, campaign_id, counted_at, figures) VALUES ($1, $2, $3, $4)
                    ON CONFLICT (bundle_id, campaign_id) DO UPDATE
                    SET counted_at = excluded.counted_at, figures = excluded.figures
                    """, name + [.number(counted.countedAt.milliseconds), .bytes(counted.figures)]))
            try audit.record(events, transaction)
            return true
        }
    }

    /// Compares the version and writes in one transaction.
    public func write(
        _ record: CampaignRecord,
        activity: [CampaignActivity],
        audit events: [AuditEvent]
    ) async throws(StoreError) -> CampaignOutcome {
        try await store.writeAudited("write a campaign") { transaction, audit in
            let now = try CampaignReading.find(record.id, record.bundleID, transaction)
            guard let edit = CampaignEdit(record, after: now) else { return .changedMeanwhile(now) }
            for statement in edit.statements { transaction.enqueue(statement) }
            transaction.enqueue(CampaignActivity.addition(activity, to: record))
            if edit.needsReload { transaction.noteChange(of: .campaigns) }
            try audit.record(events, transaction)
            return .written
        }
    }
}

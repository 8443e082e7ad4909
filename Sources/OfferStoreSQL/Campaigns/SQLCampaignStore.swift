package import EligibilityRules
package import OfferStore

/// The store of campaigns, written once for all databases.
package struct SQLCampaignStore<Store: SQLStore>: CampaignStore {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// Finds rows by the primary key.
    package func campaigns(of bundleID: String, after id: String?, limit: Int) async throws(StoreError) -> [CampaignRecord] {
        try await store.scan("list the campaigns") { try CampaignRecord.list(of: bundleID, after: id, limit: limit, $0) }
    }

    /// Scans the app's campaigns, without their documents.
    package func versions(of bundleID: String) async throws(StoreError) -> [(id: String, version: Int64)] {
        try await store.scan("list the versions of campaigns") { transaction in
            try transaction.run("SELECT id, version FROM campaign WHERE bundle_id = $1 ORDER BY id", .text(bundleID))
                .map { ($0.text(0), $0.number(1)) }
        }
    }

    /// Finds rows by the primary key.
    package func campaigns(of bundleID: String, ids: Set<String>) async throws(StoreError) -> [CampaignRecord] {
        try await store.scan("read campaigns") { try CampaignRecord.list(of: bundleID, ids: ids, $0) }
    }

    /// Finds rows by the primary key.
    package func campaign(id: String, bundleID: String) async throws(StoreError) -> CampaignRecord? {
        try await store.read("look up a campaign") { try CampaignRecord.find(id, bundleID, $0) }
    }

    /// Finds rows by the primary key.
    package func publications(
        of id: String,
        bundleID: String,
        before number: Int?,
        limit: Int
    ) async throws(StoreError) -> [CampaignPublication] {
        try await store.scan("list the revisions of a campaign") { transaction in
            try transaction.run(
                """
                SELECT \(CampaignPublication.columns) FROM campaign_revision AS revision
                WHERE bundle_id = $1 AND campaign_id = $2 AND number < $3 ORDER BY number DESC LIMIT $4
                """, .text(bundleID), .text(id), .number(Int64(number ?? .max)), .number(Int64(limit))
            ).map { CampaignPublication($0) }
        }
    }

    /// Finds rows by the primary key.
    package func publication(_ number: Int, of id: String, bundleID: String) async throws(StoreError) -> CampaignPublication? {
        try await store.read("look up a revision of a campaign") { transaction in
            try transaction.run(
                """
                SELECT \(CampaignPublication.columns) FROM campaign_revision AS revision
                WHERE bundle_id = $1 AND campaign_id = $2 AND number = $3
                """, .text(bundleID), .text(id), .number(Int64(number))
            ).first { CampaignPublication($0) }
        }
    }

    /// Finds rows by the primary key.
    package func activity(
        of id: String,
        bundleID: String,
        before number: Int64?,
        hasReason: Bool,
        limit: Int
    ) async throws(StoreError) -> [CampaignActivity] {
        try await store.scan("list the activity of a campaign") { transaction in
            try transaction.run(
                """
                SELECT number, step, done_at, done_by, done_reason, revision FROM campaign_activity
                WHERE bundle_id = $1 AND campaign_id = $2 AND number < $3 AND ($4 OR done_reason <> '')
                ORDER BY number DESC LIMIT $5
                """, .text(bundleID), .text(id), .number(number ?? .max), .flag(!hasReason), .number(Int64(limit))
            ).map { row in
                CampaignActivity(
                    number: row.number(0), step: row.text(1), act: CampaignAct(row, 2), revision: Int(row.number(5)))
            }
        }
    }

    /// Runs one statement for all apps.
    package func live(bundleIDs: Set<String>) async throws(StoreError) -> [LiveCampaign] {
        try await store.read("read what is published of the campaigns") { try LiveCampaign.list(bundleIDs, $0) }
    }

    /// Runs one statement for all apps.
    package func ended(bundleIDs: Set<String>) async throws(StoreError) -> [String: Set<String>] {
        try await store.read("read which campaigns have ended") { transaction in
            let sql = """
                SELECT bundle_id, id FROM campaign
                WHERE bundle_id \(Store.Transaction.dialect.isAny("$1")) AND standing = $2
                """
            var ended: [String: Set<String>] = [:]
            try transaction.run(sql, .texts(bundleIDs.sorted()), .text(CampaignStanding.ended.rawValue))
                .forEach { ended[$0.text(0), default: []].insert($0.text(1)) }
            return ended
        }
    }

    /// Reads in one snapshot.
    package func rehearsed(bundleIDs: Set<String>) async throws(StoreError) -> [RehearsedCampaign] {
        try await store.read("read who tries campaigns") { try RehearsedCampaign.list(bundleIDs, $0) }
    }

    /// Scans the app's testers.
    package func testers(withIDs ids: Set<String>, bundleID: String) async throws(StoreError) -> [NamedTester] {
        try await store.read("look for testers") { transaction in
            try transaction.run(
                """
                SELECT campaign_id, kind, id, variant, note FROM campaign_tester
                WHERE bundle_id = $1 AND id \(Store.Transaction.dialect.isAny("$2")) ORDER BY campaign_id, place
                """, .text(bundleID), .texts(ids.sorted())
            ).map { ($0.text(0), try CampaignTester($0, 1)) }
        }
    }

    /// Finds rows by the primary key.
    package func counted(of bundleID: String) async throws(StoreError) -> [CountedCampaign] {
        try await store.read("read the figures of campaigns") { transaction in
            let sql = "SELECT campaign_id, counted_at, figures FROM campaign_figures WHERE bundle_id = $1 ORDER BY campaign_id"
            return try transaction.run(sql, .text(bundleID)).map { row in
                CountedCampaign(id: row.text(0), bundleID: bundleID, countedAt: row.instant(1), figures: row.bytes(2))
            }
        }
    }

    /// Compares the instant and writes in one transaction.
    package func write(
        _ counted: CountedCampaign,
        after last: Instant?,
        audit events: [AuditEvent]
    ) async throws(StoreError) -> Bool {
        try await store.writeAudited("write the figures of a campaign", .serializable) { transaction, audit in
            let name: [SQLValue] = [.text(counted.bundleID), .text(counted.id)]
            let now = try transaction.run(
                "SELECT counted_at FROM campaign_figures WHERE bundle_id = $1 AND campaign_id = $2", name
            ).first { $0.instant(0) }
            guard now == last else { return false }
            try transaction.enqueue(
                """
                INSERT INTO campaign_figures (bundle_id, campaign_id, counted_at, figures) VALUES ($1, $2, $3, $4)
                ON CONFLICT (bundle_id, campaign_id) DO UPDATE SET counted_at = excluded.counted_at, figures = excluded.figures
                """, name + [.instant(counted.countedAt), .bytes(counted.figures)])
            try audit.record(events, transaction)
            return true
        }
    }

    /// Compares the version and writes in one transaction.
    package func write(
        _ record: CampaignRecord,
        activity: [CampaignActivity],
        audit events: [AuditEvent]
    ) async throws(StoreError) -> WriteOutcome<CampaignRecord> {
        try await store.writeAudited("write a campaign", .serializable) { transaction, audit in
            let now = try CampaignRecord.find(record.id, record.bundleID, transaction)
            guard let edit = CampaignEdit(record, after: now) else { return .changedMeanwhile(now) }
            try edit.write(transaction)
            for entry in activity { try entry.add(to: record, transaction) }
            if edit.needsReload { try transaction.noteChange(of: .campaigns) }
            try audit.record(events, transaction)
            return .written
        }
    }
}

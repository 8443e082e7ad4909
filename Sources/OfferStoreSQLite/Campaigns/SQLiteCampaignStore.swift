public import EligibilityRules
import FoundationEssentials
import GRDB
public import OfferStore

/// Campaigns in SQLite.
public struct SQLiteCampaignStore: CampaignStore {
    private let store: SQLiteStore

    /// Uses an open store.
    public init(store: SQLiteStore) { self.store = store }

    /// Uses the primary key.
    public func campaigns(of bundleID: String, after id: String?, limit: Int) async throws(StoreError) -> [CampaignRecord] {
        try await store.scan("list the campaigns") { database in
            // A cursor's rows know the places of their columns, and copied ones look for each.
            let rows = try Row.fetchCursor(
                database,
                sql: CampaignRecord.selection + " WHERE campaign.bundle_id = ? AND (? IS NULL OR id > ?) ORDER BY id LIMIT ?",
                arguments: [bundleID, id, id, limit])
            return try Array(rows.map(CampaignRecord.init))
        }
    }

    /// Uses the primary key.
    public func campaign(id: String, bundleID: String) async throws(StoreError) -> CampaignRecord? {
        try await store.read("look up a campaign") { try CampaignRecord.find(id, bundleID, $0) }
    }

    /// Uses the primary key.
    public func publications(
        of id: String,
        bundleID: String,
        before number: Int?,
        limit: Int
    ) async throws(StoreError) -> [CampaignPublication] {
        try await store.scan("list the revisions of a campaign") { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM campaign_revision WHERE bundle_id = ? AND campaign_id = ? AND number < ?
                    ORDER BY number DESC LIMIT ?
                    """,
                arguments: [bundleID, id, number ?? Int.max, limit]
            ).map(CampaignPublication.init)
        }
    }

    /// Uses the primary key.
    public func publication(_ number: Int, of id: String, bundleID: String) async throws(StoreError) -> CampaignPublication? {
        try await store.read("look up a revision of a campaign") { database in
            let sql = "SELECT * FROM campaign_revision WHERE bundle_id = ? AND campaign_id = ? AND number = ?"
            return try Row.fetchOne(database, sql: sql, arguments: [bundleID, id, number]).map(CampaignPublication.init)
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
        try await store.scan("list the activity of a campaign") { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM campaign_activity WHERE bundle_id = ? AND campaign_id = ? AND number < ?
                        AND (? OR done_reason <> '')
                    ORDER BY number DESC LIMIT ?
                    """,
                arguments: [bundleID, id, number ?? .max, !hasReason, limit]
            ).map(CampaignActivity.init)
        }
    }

    /// Reads in one snapshot, app by app.
    public func live(bundleIDs: Set<String>) async throws(StoreError) -> [LiveCampaign] {
        try await store.read("read what is published of the campaigns") { database in
            let statement = try database.cachedStatement(sql: LiveCampaign.selection)
            return try bundleIDs.sorted().flatMap { bundleID in
                try Row.fetchAll(
                    statement,
                    arguments: [bundleID, CampaignStanding.live.rawValue, CampaignStanding.paused.rawValue]
                ).map(LiveCampaign.init)
            }
        }
    }

    /// Reads in one snapshot, app by app.
    public func ended(bundleIDs: Set<String>) async throws(StoreError) -> [String: Set<String>] {
        try await store.read("read which campaigns have ended") { database in
            let statement = try database.cachedStatement(sql: "SELECT id FROM campaign WHERE bundle_id = ? AND standing = ?")
            var ended: [String: Set<String>] = [:]
            for bundleID in bundleIDs {
                ended[bundleID] = try String.fetchSet(statement, arguments: [bundleID, CampaignStanding.ended.rawValue])
            }
            return ended.filter { !$0.value.isEmpty }
        }
    }

    /// Reads in one snapshot, app by app.
    public func rehearsed(bundleIDs: Set<String>) async throws(StoreError) -> [RehearsedCampaign] {
        try await store.read("read who tries campaigns") { database in
            let statement = try database.cachedStatement(sql: RehearsedCampaign.selection)
            return try bundleIDs.sorted().flatMap { bundleID in
                try Row.fetchAll(statement, arguments: [bundleID, CampaignStanding.ended.rawValue]).map(RehearsedCampaign.init)
            }
        }
    }

    /// Scans the app's testers.
    public func testers(withIDs ids: Set<String>, bundleID: String) async throws(StoreError) -> [NamedTester] {
        try await store.read("look for testers") { database in
            let sql = """
                SELECT campaign_id, kind, id, variant, note FROM campaign_tester
                WHERE bundle_id = ? AND id IN (SELECT value FROM json_each(?)) ORDER BY campaign_id, place
                """
            return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [bundleID, ids.sorted().json]).map { row in
                (row[0], try CampaignTester(stored: [row[1], row[2], row[3], row[4]]))
            }
        }
    }

    /// Uses the primary key.
    public func counted(of bundleID: String) async throws(StoreError) -> [CountedCampaign] {
        try await store.read("read the figures of campaigns") { database in
            let sql = "SELECT campaign_id, counted_at, figures FROM campaign_figures WHERE bundle_id = ? ORDER BY campaign_id"
            return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [bundleID]).map { row in
                CountedCampaign(
                    id: row[0], bundleID: bundleID, countedAt: Instant(milliseconds: row[1]), figures: Array(row[2] as Data))
            }
        }
    }

    /// Compares the instant and writes in one transaction.
    public func write(
        _ counted: CountedCampaign,
        after last: Instant?,
        audit events: [AuditEvent]
    ) async throws(StoreError) -> Bool {
        try await store.write("write the figures of a campaign") { [audit = store.audit!] database in
            let sql = "SELECT counted_at FROM campaign_figures WHERE bundle_id = ? AND campaign_id = ?"
            let now = try Int64.fetchOne(database, sql: sql, arguments: [counted.bundleID, counted.id])
            guard now == last?.milliseconds else { return false }
            try database.execute(
                sql: "INSERT OR REPLACE INTO campaign_figures (bundle_id, campaign_id, counted_at, figures) VALUES (?, ?, ?, ?)",
                arguments: [counted.bundleID, counted.id, counted.countedAt.milliseconds, Data(counted.figures)])
            try audit.record(events, database)
            return true
        }
    }

    /// Compares the version and writes in one transaction.
    public func write(
        _ record: CampaignRecord,
        activity: [CampaignActivity],
        audit events: [AuditEvent]
    ) async throws(StoreError) -> CampaignOutcome {
        try await store.write("write a campaign") { [audit = store.audit!] database in
            let now = try CampaignRecord.find(record.id, record.bundleID, database)
            guard let edit = CampaignEdit(record, after: now) else { return .changedMeanwhile(now) }
            try edit.record.write(database)
            if edit.hasOtherTesters { try edit.record.writeTesters(database) }
            try edit.record.writeDraft(database)
            if edit.isPublishing { try edit.record.addPublished(database) }
            for entry in activity { try entry.add(to: record, database) }
            if edit.needsReload { try database.noteChange(of: .campaigns) }
            try audit.record(events, database)
            return .written
        }
    }
}

import EligibilityRules
import GRDB
import OfferStore
import OfferStoreTesting
import Testing

@testable import OfferStoreSQLite

@Suite("Campaigns in SQLite")
struct SQLiteCampaignStoreTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("store.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private func byHand(_ sql: String) throws {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        try queue.write { try $0.execute(sql: sql) }
    }

    @Test("Campaigns are there after closing and opening again")
    func reopening() async throws {
        let record = CampaignRecord.sample(published: .sample(1), standing: .paused)
        let first = try SQLiteStore(path: path, audit: .testing)
        #expect(try await SQLiteCampaignStore(store: first).write(record) == .written)
        try first.close()
        let second = SQLiteCampaignStore(store: try SQLiteStore(path: path, audit: .testing))
        #expect(try await second.campaign(id: record.id, bundleID: record.bundleID) == record)
        #expect(try await second.write(record) == .changedMeanwhile(record))
    }

    @Test("What was published cannot be changed by hand, and what is deleted by hand is noticed")
    func byHand() async throws {
        let store = try SQLiteStore(path: path, audit: .testing)
        let (campaigns, feed) = (SQLiteCampaignStore(store: store), SQLiteChangeFeed(store: store))
        let record = CampaignRecord.sample(published: .sample(1), standing: .live)
        #expect(try await campaigns.write(record) == .written)
        #expect(throws: DatabaseError.self) { try byHand("UPDATE campaign_revision SET document = x'00'") }
        #expect(try await campaigns.campaign(id: record.id, bundleID: record.bundleID) == record)
        var before = try #require(try await feed.revisions()[.campaigns])
        for table in ["campaign_revision", "campaign"] {
            try byHand("DELETE FROM \(table)")
            let after = try #require(try await feed.revisions()[.campaigns])
            #expect(after > before, "\(table)")
            before = after
        }
        #expect(try await campaigns.live(bundleIDs: [record.bundleID]).isEmpty)
    }

    @Test("A campaign with an unknown standing is damaged, not read as something else")
    func damaged() async throws {
        let campaigns = SQLiteCampaignStore(store: try SQLiteStore(path: path, audit: .testing))
        let record = CampaignRecord.sample(published: .sample(1), standing: .live)
        #expect(try await campaigns.write(record) == .written)
        try byHand("UPDATE campaign SET standing = 'lively'")
        await #expect(throws: StoreError(.damaged, "")) {
            try await campaigns.campaign(id: record.id, bundleID: record.bundleID)
        }
    }

    @Test("Campaigns from before last changes were kept get the latest act that left a trace")
    func lastChanges() async throws {
        let queue = try DatabaseQueue(path: path)
        try SQLiteMigrations.signatures.migrate(queue, upTo: "16 tokens of outstanding signatures")
        try await queue.write { database in
            try database.execute(
                sql: """
                    INSERT INTO campaign VALUES
                        ('app', 'draft', 1, 1, 1, 1, 'ann', 'new', 'unpublished', 1, 'ann', 'new', 1),
                        ('app', 'given-up', 3, 3, 1, 1, 'ann', 'new', 'unpublished', 1, 'ann', 'new', 1),
                        ('app', 'live', 4, 4, 4, 1, 'ann', 'new', 'live', 9, 'cleo', 'go', 1),
                        ('app', 'paused', 5, 4, 5, 1, 'ann', 'new', 'paused', 10, 'dan', 'stop', 1),
                        ('app', 'rejected', 5, 5, 4, 1, 'ann', 'new', 'live', 9, 'cleo', 'go', 1);
                    INSERT INTO campaign_draft VALUES
                        ('app', 'draft', x'00', 0, 'ann', 2, 'ann', 'kept', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
                        ('app', 'rejected', x'00', 1, 'ann', 11, 'ann', '', 12, 'ann', '', 0, 13, 'ben', 'no');
                    INSERT INTO campaign_revision
                    SELECT 'app', id, 1, x'00', 'ann', 8, 'ben', 'yes', 9, 'cleo', 'go', NULL FROM campaign WHERE standing <> 'unpublished';
                    """)
        }
        try queue.close()
        let store = SQLiteCampaignStore(store: try SQLiteStore(path: path, audit: .testing))
        let changes = try await store.campaigns(of: "app", after: nil, limit: 9).map {
            "\($0.id) \($0.acts.step) \($0.acts.changed.at.milliseconds) \($0.acts.changed.by) \($0.acts.changed.reason)"
        }
        #expect(
            changes == [
                "draft save 2 ann kept", "given-up save 1 ann new", "live publish 9 cleo go", "paused pause 10 dan stop",
                "rejected reject 13 ben no",
            ])
        let past = [
            "draft": ["create 1", "save 1"], "given-up": ["create 1"], "live": ["create 1", "approve 1", "publish 1"],
            "paused": ["create 1", "approve 1", "publish 1", "pause 1"],
            "rejected": ["create 1", "approve 1", "publish 1", "save 2", "submit 2", "reject 2"],
        ]
        for (id, steps) in past {
            let entries = try await store.activity(of: id, bundleID: "app", before: nil, hasReason: false, limit: 9)
            #expect(entries.reversed().map { "\($0.step) \($0.revision)" } == steps, "\(id)")
        }
    }
}

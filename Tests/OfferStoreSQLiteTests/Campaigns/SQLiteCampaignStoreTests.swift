import EligibilityRules
import GRDB
import OfferStore
import OfferStoreSQL
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
        #expect(try await SQLCampaignStore(first).write(record) == .written)
        try first.close()
        let second = SQLCampaignStore(try SQLiteStore(path: path, audit: .testing))
        #expect(try await second.campaign(id: record.id, bundleID: record.bundleID) == record)
        #expect(try await second.write(record) == .changedMeanwhile(record))
    }

    @Test("What was published cannot be changed by hand, and what is deleted by hand is noticed")
    func byHand() async throws {
        let store = try SQLiteStore(path: path, audit: .testing)
        let (campaigns, feed) = (SQLCampaignStore(store), SQLChangeFeed(store))
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
        let campaigns = SQLCampaignStore(try SQLiteStore(path: path, audit: .testing))
        let record = CampaignRecord.sample(published: .sample(1), standing: .live)
        #expect(try await campaigns.write(record) == .written)
        try byHand("UPDATE campaign SET standing = 'lively'")
        await #expect(throws: StoreError(.damaged, "")) {
            try await campaigns.campaign(id: record.id, bundleID: record.bundleID)
        }
    }
}

import Dispatch
import EligibilityRules
import OfferStore
import OfferStoreSQL
import OfferStoreTesting
import Testing

@testable import OfferStorePostgreSQL

@Suite("Lanes of reads in PostgreSQL", .enabled(if: TestDatabase.isThere), .timeLimit(.minutes(30)))
struct LaneTests {
    @Test("What is urgent waits for no look-up and no scan, and a look-up for no scan, however many there are")
    func lanes() async throws {
        let store = try PostgreSQLStore(TestDatabase.newSchema(), readers: 2, audit: .testing)
        let (keys, ledger) = (SQLKeyStore(store), PostgreSQLLedger(store))
        let (scansGoOn, lookUpsGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let scans = (1...10).map { _ in Task { try await store.scan("scan") { _ in scansGoOn.wait() } } }
        #expect(try await ledger.latestInstant() == nil)
        let lookUps = (1...10).map { _ in Task { try await store.read("look up") { _ in lookUpsGoOn.wait() } } }
        #expect(try await keys.keyDecisions().all == [])
        #expect(try await SQLAccessStore(store).accessRecords() == [])
        #expect(try await SQLChangeFeed(store).revisions().isEmpty == false)
        let event = AuditEvent(at: .testNow, actor: "a", action: "key.revoke", object: .none)
        let decision = KeyDecision(
            keyID: "KEY", bundleID: "app", state: "revoked", decidedAt: .testNow, decidedBy: "a", reason: "")
        #expect(try await keys.add([decision], after: 0, audit: [event]))
        for _ in scans { scansGoOn.signal() }
        for _ in lookUps { lookUpsGoOn.signal() }
        for task in scans + lookUps { try await task.value }
        store.close()
    }
}

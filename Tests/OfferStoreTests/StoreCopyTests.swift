import EligibilityRules
import Foundation
import OfferStore
import OfferStorePostgreSQL
import OfferStoreSQLite
import OfferStoreTesting
import Testing

@Suite("A store that was copied to PostgreSQL", .enabled(if: TestDatabase.isThere))
struct StoreCopyTests {
    private static let hour: Int64 = 3_600_000

    private let rows = AuditRows()
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var signatures: String { folder.path("store.sqlite") }
    private var histories: String { folder.path("store-histories.sqlite") }

    private func record(_ time: Int64, _ store: SigningStore) async throws -> UUID {
        let nonce = UUID()
        _ = try await store.ledger.record(
            LedgerSubmission(.sample(nonces: [nonce], at: time), refusals: rows.refusals(at: time)))
        _ = try await store.audit.seal(at: rows.at(time), certifying: nil)
        return nonce
    }

    /// What two processes did whose rows alternate, until retention had taken some of them. Returns the nonces that are left.
    private func fill() async throws -> [UUID] {
        let stores = try (0..<2).map { _ in try SigningStore.sqlite(path: signatures, audit: .testing) { _ in } }
        for store in stores { store.audit.use(.plain(1)) }
        var nonces: [UUID] = []
        for time in 1...10 {
            nonces.append(try await record(Int64(time), stores[time % 2]))
            for _ in 0..<2 { try await stores[0].ledger.served(Self.hour, at: rows.at(Int64(time) + 1)) }
        }
        let taken = try await stores[0].ledger.prune(servedSince: 14 * Self.hour, limit: 99)
        #expect(taken > 0 && taken < nonces.count - 2)
        #expect(try await stores[0].ledger.pruneRefusals(servedSince: 14 * Self.hour, limit: 99) > 0)
        for store in stores { try store.file.close() }
        try PurchaseStore.sqlite(path: histories, now: { rows.at(20) }) { _ in }.file.close()
        return Array(nonces.dropFirst(taken))
    }

    private func copy() throws -> SigningStore {
        let source = try SQLiteCopySource(
            signatures: signatures, histories: histories, audit: .testing, copiedTo: "there", onceWithout: [], at: rows.at(20)
        ) { _ in }
        let address = try TestDatabase.newSchema()
        #expect(try PostgreSQLCopy.run(source, to: address, audit: (.testing, .plain([1])), report: { _, _ in }) > 0)
        try source.close()
        let store = try SigningStore.postgresql(address, audit: .testing)
        store.audit.use(.plain(1))
        return store
    }

    private func verify(_ store: SigningStore, rows count: [Int64]) async throws {
        let report = try await store.audit.verify(.plain([1]), heads: [])
        #expect(report.faults == [])
        #expect(report.tables.map { $0.rows + $0.removed } == count)
    }

    @Test("The audit log goes on: it is added to, sealed, taken from and erased in, and verifies")
    func log() async throws {
        let nonces = try await fill()
        let store = try copy()
        try await verify(store, rows: [10, 10, 0])
        for nonce in nonces {
            let outcome = try await store.ledger.record(LedgerSubmission(.sample(nonces: [nonce], at: 11)))
            #expect(outcome == .nonceReplayed(nonce))
        }
        _ = try await record(12, store)
        for _ in 0..<2 { try await store.ledger.served(Self.hour, at: rows.at(12)) }
        // Rows of both chains go, a slice at a time; the last rows of the copy are too young.
        #expect(try await store.ledger.prune(servedSince: 12 * Self.hour, limit: 1) == 1)
        #expect(try await store.ledger.prune(servedSince: 10 * Self.hour, limit: 99) > 0)
        #expect(try await store.ledger.pruneRefusals(servedSince: 10 * Self.hour, limit: 99) > 0)
        try await verify(store, rows: [11, 11, 0])
        #expect(try await store.audit.erase(["kunde-ä"], bundleID: "com.example.app", audit: rows.event("a.b")) > 2)
        try await store.ledger.served(100 * Self.hour, at: rows.at(13))
        _ = try await record(14, store)
        for _ in 0..<2 { try await store.ledger.served(Self.hour, at: rows.at(14)) }
        while try await store.ledger.prune(servedSince: Self.hour, limit: 3) > 0 {}
        #expect(try await store.ledger.entry(nonce: nonces.last!) == nil)
        try await verify(store, rows: [12, 12, 1])
        try store.file.close()
    }

    @Test("A nonce of the files is refused, on whatever day it was issued")
    func nonces() async throws {
        let day: Int64 = 20_000
        func entry(_ nonce: UUID, issued: Int64, used: Int64) -> LedgerSubmission {
            let digest = [UInt8](repeating: 1, count: 32)
            let signature = LedgerSignature(nonce: nonce, issuedDay: issued, productID: "pro", offerID: "half", digest: digest)
            return LedgerSubmission(.sample(signatures: [signature], at: used * 24 * Self.hour))
        }
        let used = UUID()
        let source = try SigningStore.sqlite(path: signatures, audit: .testing) { _ in }
        source.audit.use(.plain(1))
        #expect(try await source.ledger.record(entry(used, issued: day, used: day)) == .recorded)
        _ = try await source.audit.seal(at: rows.at(20), certifying: nil)
        try source.file.close()
        try PurchaseStore.sqlite(path: histories, now: { rows.at(20) }) { _ in }.file.close()
        let store = try copy()
        for issued in [day - 1, day] {
            #expect(try await store.ledger.record(entry(used, issued: issued, used: day)) == .nonceReplayed(used))
        }
        let new = UUID()
        #expect(try await store.ledger.record(entry(new, issued: day + 1, used: day + 1)) == .recorded)
        #expect(try await store.ledger.record(entry(new, issued: day + 1, used: day + 1)) == .nonceReplayed(new))
        try await verify(store, rows: [2, 0, 0])
        try store.file.close()
    }

    @Test("A clock is repaired, and what is known of it is copied")
    func clock() async throws {
        _ = try await fill()
        let store = try copy()
        #expect(try await store.ledger.latestInstant() == Instant(milliseconds: 10))
        _ = try await record(400, store)
        _ = try await store.processes.clock.repair(at: Instant(milliseconds: 20))
        #expect(try await store.processes.clock.clockRecord().latest == Instant(milliseconds: 20))
        try store.file.close()
    }
}

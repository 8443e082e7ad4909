import EligibilityRules
import Foundation
import OfferStore
import OfferStoreSQLite
import OfferStoreTesting
import Synchronization
import Testing

@Suite("Audit contract")
struct AuditContractTests {
    private static let hour: Int64 = 3_600_000

    private let rows = AuditRows()

    @Test("What was written verifies, and nothing of it is sealed", arguments: SigningStoreUnderTest.allCases)
    func unsealed(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        try await rows.fill(store)
        let report = try await store.audit.verify(.plain([]), heads: [])
        #expect(report.faults == [])
        #expect(report.tables.map(\.rows) == [5, 5, 15])
        #expect(report.tables.map(\.unsealed) == [5, 5, 15])
        #expect(!report.isSealed)
        #expect(try await store.audit.seal(at: rows.at(9), certifying: nil) == nil)
        #expect(try await store.audit.latestSeal() == nil)
    }

    @Test("A submission that is not recorded leaves no link", arguments: SigningStoreUnderTest.allCases)
    func notRecorded(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        let used = LedgerEntry.sample()
        _ = try await store.ledger.record(LedgerSubmission(used))
        for _ in 0..<3 {
            let again = LedgerSubmission(used, refusals: rows.refusals(), auditEvents: [rows.event("x.y")])
            #expect(try await store.ledger.record(again) == .nonceReplayed(used.nonce))
            _ = try await store.ledger.record(LedgerSubmission(.sample()))
        }
        let report = try await store.audit.verify(.plain([]), heads: [])
        #expect(report.faults == [])
        #expect(report.tables.map(\.rows) == [4, 0, 0])
    }

    @Test("A change of keys or access is recorded with its event, or neither is", arguments: SigningStoreUnderTest.allCases)
    func together(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        let decision = KeyDecision(
            keyID: "K", bundleID: "a", state: "active", decidedAt: rows.at(1), decidedBy: "ann",
            reason: "für Tests")
        let decided = rows.event("key.activate", app: "a")
        #expect(try await store.credentials.keys.add([decision], after: 0, audit: [decided]))
        #expect(try await !store.credentials.keys.add([decision], after: 0, audit: [decided]))
        let record = AccessRecord(
            id: "1", secretDigest: [1], role: "client", apps: nil, note: "",
            lifetime: AccessLifetime(createdAt: rows.at(1), createdBy: "ann"))
        let (made, ended) = (
            rows.event("access.create", subject: "1", after: record.terms), rows.event("access.revoke", at: 2, subject: "1")
        )
        try await store.credentials.access.add(record, audit: [made])
        await #expect(throws: StoreError.self) { try await store.credentials.access.add(record, audit: [made]) }
        #expect(try await store.credentials.access.revokeAccess(id: "1", at: rows.at(2), audit: [ended]))
        #expect(try await !store.credentials.access.revokeAccess(id: "2", at: rows.at(2), audit: [ended]))
        let entries = try await store.audit.entries(.events, AuditFilter(), before: nil, limit: 9)
        #expect(entries.map(\.event.action) == ["access.revoke", "access.create", "key.activate"])
        #expect(Set(entries.map(\.id)).count == 3)
        #expect(entries.last?.event == decided)
        #expect(try await store.audit.verify(.plain([]), heads: []).faults == [])
    }

    @Test("Rows are found by who, what, when and text, the latest first", arguments: SigningStoreUnderTest.allCases)
    func entries(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        try await store.audit.record([
            rows.event("key.activate", at: 1, app: "a"), rows.event("key.revoke", by: "bob", at: 2, app: "b"),
            rows.event("access.create", at: 3),
        ])
        _ = try await store.ledger.record(LedgerSubmission(.sample(nonces: [UUID()], at: 5)))
        func found(_ filter: AuditFilter, before: Int64? = nil, limit: Int = 9) async throws -> [Int64] {
            try await store.audit.entries(.events, filter, before: before, limit: limit).map(\.event.at.milliseconds)
        }
        let second = try await store.audit.entries(.events, AuditFilter(actor: "bob"), before: nil, limit: 9).first?.id
        #expect(try await found(AuditFilter()) == [3, 2, 1])
        #expect(try await found(AuditFilter(), limit: 2) == [3, 2])
        #expect(try await found(AuditFilter(), before: second) == [1])
        #expect(try await found(AuditFilter(actor: "bob")) == [2])
        #expect(try await found(AuditFilter(action: "key.")) == [2, 1])
        #expect(try await found(AuditFilter(bundleID: "a")) == [3, 1])
        #expect(try await found(AuditFilter(text: "kunde")) == [3, 2, 1])
        #expect(try await found(AuditFilter(text: "nobody")) == [])
        #expect(try await found(AuditFilter(from: rows.at(2), until: rows.at(3))) == [2])
        let signature = try #require(try await store.audit.entries(.signatures, AuditFilter(), before: nil, limit: 9).first)
        #expect(signature.event.action == "signature.made")
        #expect(signature.event.object.id == "ABCDEFGHIJ")
        #expect(signature.link != nil)
        #expect(try await store.audit.count(.events, from: rows.at(2), until: nil) == 2)
        #expect(try await store.audit.count(.events, from: nil, until: rows.at(2)) == 1)
        #expect(try await store.audit.count(.signatures, from: rows.at(6), until: nil) == 0)
    }

    @Test(
        "Offers are added up by minute, app and outcome, those since the minute that is asked for",
        arguments: SigningStoreUnderTest.allCases)
    func tally(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        #expect(try await store.audit.slices(of: .signatures, latest: nil).slices.isEmpty)
        #expect(try await store.audit.tally(.signatures, since: 7) == AuditTally([], since: 7))
        for (milliseconds, count) in [(59_999, 1), (60_000, 3), (119_999, 2), (120_000, 1)] as [(Int64, UInt8)] {
            _ = try await store.ledger.record(
                LedgerSubmission(
                    .sample(nonces: UUID.series(of: count), at: milliseconds),
                    refusals: rows.refusals(at: milliseconds, evidence: count == 3 ? nil : "12")))
        }
        _ = try await store.ledger.record(
            LedgerSubmission(
                nil,
                refusals: LedgerRefusals(
                    refusedAt: rows.at(120_001), partition: "other", request: LedgerRequest(id: "r", caller: "caller"),
                    offers: ["a", "b", "a"].map { .init(productID: "p", offerID: "o", reason: $0, evidence: nil) })))
        try await store.audit.record([rows.event("a.b")])
        func sums(_ table: AuditTable, since minute: Int64) async throws -> [String: Int] {
            let parts = try await store.audit.tally(table, since: minute).parts
            return Dictionary(parts.map { ("\($0.minute) \($0.partition.name) \($0.outcome)", $0.offers) }, uniquingKeysWith: +)
        }
        for minute in 0...3 as ClosedRange<Int64> {
            let all: [(Int64, String, Int)] = [(0, "ABCDEFGHIJ", 1), (1, "ABCDEFGHIJ", 5), (2, "ABCDEFGHIJ", 1)]
            let expected = all.filter { $0.0 >= minute }.map { ("\($0.0) com.example.app \($0.1)", $0.2) }
            #expect(try await sums(.signatures, since: minute) == Dictionary(uniqueKeysWithValues: expected))
        }
        #expect(
            try await sums(.refusals, since: 0) == [
                "0 com.example.app no-history": 1, "1 com.example.app no-history": 2, "2 com.example.app no-history": 1,
                "2 other a": 2, "2 other b": 1,
            ])
        #expect(try await sums(.events, since: 0) == [:])
        let latest = try await store.audit.slices(of: .signatures, latest: 2)
        #expect(latest.maxRows == 2 && latest.since == rows.at(119_999))
        let all = try await store.audit.slices(of: .signatures, latest: nil)
        #expect(all.maxRows == 4 && all.since == nil)
    }

    @Test("What retention takes is sealed, and the rest still verifies", arguments: SigningStoreUnderTest.allCases)
    func retention(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        store.audit.use(.plain(1))
        for round in 1...6 as ClosedRange<Int64> {
            _ = try await store.ledger.record(
                LedgerSubmission(.sample(nonces: [UUID()], at: round), refusals: rows.refusals(at: round)))
            _ = try await store.audit.seal(at: rows.at(round), certifying: nil)
            for _ in 0..<2 { try await store.ledger.served(Self.hour, at: rows.at(round + 1)) }
        }
        #expect(try await store.ledger.prune(servedSince: 8 * Self.hour, limit: 1) == 1)
        #expect(try await store.ledger.prune(servedSince: 8 * Self.hour, limit: 9) > 0)
        #expect(try await store.ledger.pruneRefusals(servedSince: 0, limit: 99) > 0)
        _ = try await store.ledger.record(LedgerSubmission(.sample(nonces: [UUID()], at: 9), refusals: rows.refusals(at: 9)))
        _ = try await store.audit.seal(at: rows.at(9), certifying: nil)
        let report = try await store.audit.verify(.plain([1]), heads: [])
        #expect(report.faults == [])
        #expect(report.tables[0].removed > 1)
        #expect(report.tables.map { $0.rows + $0.removed } == [7, 7, 0])
        #expect(report.tables.map(\.unsealed) == [0, 0, 0])
    }

    @Test("What is personal of a customer can be erased, and the log verifies", arguments: SigningStoreUnderTest.allCases)
    func erasure(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        store.audit.use(.plain(1))
        try await rows.fill(store)
        try await store.audit.record([rows.event("a.b", app: "com.example.app")])
        _ = try await store.audit.seal(at: rows.at(9), certifying: nil)
        let ids: Set = ["kunde-ä", "ann", "1000", "9", "7"]
        let count = try await store.audit.erase(
            ids, bundleID: "com.example.app", audit: AuditEvent(at: rows.at(9), actor: "x", action: "customer.erase"))
        #expect(count == 11)
        for table in AuditTable.allCases {
            for entry in try await store.audit.entries(table, AuditFilter(bundleID: "com.example.app"), before: nil, limit: 99)
            where entry.event.partition != nil {
                #expect(entry.event.personal.customerID == nil)
                #expect(entry.event.personal.transactionID == nil)
                #expect(entry.event.personal.address == nil)
            }
        }
        #expect(try await store.audit.verify(.plain([1]), heads: []).faults == [])
        // Once more changes nothing.
        #expect(
            try await store.audit.erase(
                ids, bundleID: "com.example.app", audit: AuditEvent(at: rows.at(9), actor: "x", action: "customer.erase")) == 0)
    }

    @Test("What an app did in every environment is its own, and no other's", arguments: SigningStoreUnderTest.allCases)
    func environments(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        let names = AppPartition.environments(of: "com.example.app")
        let others: [AppPartition] = ["com.example", "com.example.app.more", "com.example.app#Elsewhere"]
        for name in names + others {
            let event = AuditEvent(
                at: rows.at(1), actor: "ann", action: "a.b", partition: name, personal: AuditPersonalData(customerID: "u"))
            try await store.audit.record([event])
        }
        let filter = AuditFilter(bundleID: "com.example.app")
        let found = try await store.audit.entries(.events, filter, before: nil, limit: 9)
        #expect(found.map(\.event.partition) == names.reversed())
        let erased = AuditEvent(at: rows.at(9), actor: "x", action: "customer.erase")
        #expect(try await store.audit.erase(["u"], bundleID: "com.example.app", audit: erased) == names.count)
        let left = try await store.audit.entries(.events, AuditFilter(action: "a.b"), before: nil, limit: 9)
        #expect(left.filter { $0.event.personal.customerID != nil }.map(\.event.partition) == others.reversed())
    }

    @Test("An export has every row and every seal", arguments: SigningStoreUnderTest.allCases)
    func export(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        store.audit.use(.plain(1))
        try await rows.fill(store, rows: 2)
        _ = try await store.audit.seal(at: rows.at(9), certifying: nil)
        let lines = Lines()
        try await store.audit.export { line in lines.add(line) }
        let rows = lines.all.filter { $0["type"] as? String == "row" }
        let tables = rows.map { $0["table"] as? String }
        #expect(
            tables == [("signed_request", 2), ("refused_request", 2), ("audit_event", 6)].flatMap(Array.init(repeating:count:)))
        #expect(Set(rows.map { "\($0["table"]!) \($0["id"]!)" }).count == 10)
        #expect(lines.all.count { $0["type"] as? String == "seal" } == 1)
    }

    private final class Lines: Sendable {
        private let lines = Mutex<[[UInt8]]>([])

        func add(_ line: [UInt8]) { lines.withLock { $0.append(line) } }

        var all: [[String: Any]] {
            lines.withLock { $0 }.compactMap { try? JSONSerialization.jsonObject(with: Data($0)) as? [String: Any] }
        }
    }
}

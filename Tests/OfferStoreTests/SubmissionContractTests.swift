import EligibilityRules
import Foundation
import OfferStore
import OfferStoreTesting
import Testing

@Suite("Ledger contract: one submission")
struct SubmissionContractTests {
    private static let hour: Int64 = 3_600_000

    private func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

    private func refusals(
        _ request: String,
        customer: String? = "ann",
        app: AppPartition = "com.example.app",
        at milliseconds: Int64 = 1
    ) -> LedgerRefusals {
        LedgerRefusals(
            refusedAt: at(milliseconds), partition: app,
            request: LedgerRequest(id: request, caller: "caller", customerID: customer, transactionID: "7"),
            offers: [
                LedgerRefusals.Offer(productID: #"a "quoted" é"#, offerID: "", reason: "no-history", evidence: nil),
                LedgerRefusals.Offer(productID: "pro", offerID: "half", reason: "never-subscribed", evidence: "12"),
            ])
    }

    private func reservation(
        _ limit: String,
        max: Int,
        at milliseconds: Int64 = 0,
        of entry: LedgerEntry? = nil
    ) -> Reservation {
        .sample(limit, LimitTerms(outstanding: max), at: at(milliseconds), for: 10, nonce: entry?.nonce ?? UUID())
    }

    @Test("A customer's refusals come back, the latest first", arguments: SigningStoreUnderTest.allCases)
    func refusals(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        let own = ["1", "2", "3"].map { refusals($0) }
        let others = [refusals("4", customer: "bob"), refusals("5", customer: nil), refusals("6", app: "com.example.other")]
        for refusals in [own[0], others[0], own[1], others[1], own[2], others[2]] {
            #expect(try await ledger.record(LedgerSubmission(nil, refusals: refusals)) == .recorded)
        }
        #expect(try await ledger.refusals(customerID: "ann", partition: "com.example.app", limit: 9) == own.reversed())
        #expect(try await ledger.refusals(customerID: "ann", partition: "com.example.app", limit: 1) == [own[2]])
        #expect(try await ledger.refusals(customerID: "nobody", partition: "com.example.app", limit: 9) == [])
        // They are no signatures.
        #expect(try await ledger.latestInstant() == nil)
    }

    @Test("Whatever keeps a submission from being recorded keeps all of it", arguments: SigningStoreUnderTest.allCases)
    func wholeOrNot(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        let (used, fresh) = (LedgerEntry.sample(), LedgerEntry.sample())
        let first = LedgerSubmission(
            used, reservations: [reservation("full", max: 1, of: used)], idempotency: .sample(key: "answered"))
        #expect(try await ledger.record(first) == .recorded)
        func attempt(_ entry: LedgerEntry, _ limit: String, _ key: String) async throws -> LedgerOutcome {
            try await ledger.record(
                LedgerSubmission(
                    entry, refusals: refusals("r"),
                    reservations: [reservation("last", max: 1, of: entry), reservation(limit, max: 1, of: entry)],
                    idempotency: .sample(key: key)))
        }
        #expect(try await attempt(used, "free", "new") == .nonceReplayed(used.nonce))
        #expect(try await attempt(fresh, "full", "new").limits == ["full"])
        #expect(try await attempt(fresh, "free", "answered") == .answeredBefore(Array("answer 1".utf8)))
        #expect(try await ledger.refusals(customerID: "ann", partition: "com.example.app", limit: 9) == [])
        #expect(try await ledger.entry(nonce: fresh.nonce) == nil)
        #expect(try await ledger.answer(caller: "caller", key: "new", now: at(0)) == nil)
        // And what they would have taken is still there.
        #expect(try await attempt(fresh, "free", "new") == .recorded)
    }

    @Test("A limit gives as many as it has at a time", arguments: SigningStoreUnderTest.allCases)
    func limit(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        func take(_ reservations: Reservation...) async throws -> LedgerOutcome {
            try await ledger.record(.sample(taking: reservations))
        }
        func two() -> Reservation { reservation("l", max: 2) }
        #expect(try await take(two(), two(), two()).limits == ["l"])
        #expect(try await take(two()) == .recorded)
        #expect(try await take(two(), two()).limits == ["l"])
        #expect(try await take(two(), reservation("m", max: 1)) == .recorded)
        #expect(try await take(two()).limits == ["l"])
        #expect(try await take(reservation("l", max: 3)) == .recorded)
        // Until just before it expires one counts.
        #expect(try await take(reservation("l", max: 2, at: 9)).limits == ["l"])
        #expect(try await take(reservation("l", max: 2, at: 10)) == .recorded)
        #expect(try await take(reservation("n", max: 0)).limits == ["n"])
        #expect(try await take(reservation("n", max: 0), two()).limits == ["n", "l"])
    }

    @Test("Of those who ask at once a limit takes as many as it has", arguments: SigningStoreUnderTest.allCases)
    func together(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        let outcomes = try await withThrowingTaskGroup(of: LedgerOutcome.self) { group in
            for _ in 0..<40 {
                group.addTask { try await ledger.record(.sample(taking: [reservation("l", max: 5)])) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == .recorded } == 5)
        #expect(outcomes.count { $0.limits == ["l"] } == 35)
    }

    @Test(
        "What a revoked key signed is not recorded",
        arguments: SigningStoreUnderTest.allCases)
    func revocation(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        let entry = LedgerEntry.sample()
        func decision(_ state: String, of keyID: String = entry.keyID, in app: String = "com.example.app") -> KeyDecision {
            KeyDecision(keyID: keyID, bundleID: app, state: state, decidedAt: at(1), decidedBy: "ann", reason: "")
        }
        #expect(
            try await store.credentials.keys.add([decision("active"), decision("revoked", of: "other")], after: 0, audit: []))
        #expect(try await store.credentials.keys.add([decision("revoked", in: "com.example.other")], after: 2, audit: []))
        #expect(try await store.ledger.record(LedgerSubmission(.sample())) == .recorded)
        #expect(try await store.credentials.keys.add([decision("revoked")], after: 3, audit: []))
        let kept = IdempotencyRecord.sample()
        let outcome = try await store.ledger.record(LedgerSubmission(entry, auditEvents: [], idempotency: kept))
        #expect(outcome == .keyRevoked(entry.keyID))
        #expect(try await store.ledger.entry(nonce: entry.nonce) == nil)
        #expect(try await store.ledger.answer(caller: kept.caller, key: kept.key, now: kept.createdAt) == nil)
        // Not even if a later row says otherwise.
        #expect(try await store.credentials.keys.add([decision("active")], after: 4, audit: []))
        #expect(try await store.ledger.record(LedgerSubmission(.sample())) == .keyRevoked(entry.keyID))
    }

    @Test("What was signed for a revoked access key is not recorded", arguments: SigningStoreUnderTest.allCases)
    func revokedCaller(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        let entry = LedgerEntry.sample()
        let record = AccessRecord(
            id: entry.request.caller, secretDigest: [1], role: "client", apps: nil, note: "",
            lifetime: AccessLifetime(createdAt: at(1)))
        try await store.credentials.access.add(record, audit: [])
        #expect(try await store.ledger.record(LedgerSubmission(.sample())) == .recorded)
        #expect(try await store.credentials.access.revokeAccess(id: entry.request.caller, at: at(2), audit: []))
        #expect(try await store.ledger.record(LedgerSubmission(entry)) == .callerRevoked)
        #expect(try await store.ledger.entry(nonce: entry.nonce) == nil)
        let exposure = Exposure(
            arm: ExposureArm(partition: "com.example.app", campaign: "c", revision: 1, variant: nil, unitKind: .customer),
            unit: "ann", at: at(1), source: ExposureSource(caller: entry.request.caller))
        #expect(try await store.ledger.record(LedgerSubmission(nil, exposures: [exposure])) == .callerRevoked)
        #expect(try await store.ledger.record(LedgerSubmission(nil, refusals: refusals("1"))) == .recorded)
    }

    @Test("Old refusals go, young ones stay", arguments: SigningStoreUnderTest.allCases)
    func retention(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        for time in 1...4 as ClosedRange<Int64> {
            _ = try await ledger.record(LedgerSubmission(nil, refusals: refusals("\(time)", at: time)))
            for _ in 0..<2 { try await ledger.served(Self.hour, at: at(time + 1)) }
        }
        #expect(try await ledger.pruneRefusals(servedSince: 5 * Self.hour, limit: 1) == 1)
        #expect(try await ledger.pruneRefusals(servedSince: 5 * Self.hour, limit: 9) == 1)
        #expect(try await ledger.pruneRefusals(servedSince: 5 * Self.hour, limit: 9) == 0)
        let left = try await ledger.refusals(customerID: "ann", partition: "com.example.app", limit: 9)
        #expect(left.map(\.request.id) == ["4", "3"])
    }
}

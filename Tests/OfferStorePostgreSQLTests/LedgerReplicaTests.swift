import EligibilityRules
import Foundation
import OfferStore
import OfferStoreTesting
import Testing

@testable import OfferStorePostgreSQL

@Suite("Several processes sign on one PostgreSQL", .enabled(if: TestDatabase.isThere))
struct LedgerReplicaTests {
    /// Stores that know nothing of each other, as processes do.
    private func stores(_ count: Int, on schema: String? = nil) async throws -> [SigningStore] {
        let address = try schema ?? TestDatabase.newSchema()
        return try await withThrowingTaskGroup(of: SigningStore.self) { group in
            for _ in 0..<count { group.addTask { try .postgresql(address, audit: .testing) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// What each store makes of each submission, all at once.
    private func outcomes(_ stores: [SigningStore], _ submissions: [LedgerSubmission]) async throws -> [LedgerOutcome] {
        try await withThrowingTaskGroup(of: LedgerOutcome.self) { group in
            for submission in submissions {
                for store in stores { group.addTask { try await store.ledger.record(submission) } }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test("Of all who come with a nonce one gets it, and the audit log of all of them verifies")
    func nonces() async throws {
        let stores = try await stores(3)
        for store in stores { store.audit.use(.plain(1)) }
        for _ in 0..<10 {
            let nonces = (0..<10).map { _ in UUID() }
            let submissions = nonces.flatMap { nonce in
                (0..<10).map { _ in LedgerSubmission(.sample(nonce: nonce), auditEvents: [AuditRow.event]) }
            }
            let outcomes = try await outcomes(stores, submissions)
            #expect(outcomes.count { $0 == .recorded } == nonces.count)
            for nonce in nonces {
                #expect(outcomes.count { $0 == .nonceReplayed(nonce) } == 3 * 10 - 1)
                #expect(try await stores[0].ledger.entry(nonce: nonce) != nil)
            }
            for store in stores { _ = try await store.audit.seal(at: .testNow, certifying: nil) }
        }
        let report = try await stores[1].audit.verify(.plain([1]), heads: [])
        #expect(report.faults == [])
        #expect(report.tables.map(\.rows) == [100, 0, 100])
        #expect(report.tables.map(\.unsealed) == [0, 0, 0])
        #expect(report.latestSeal?.rows == 200)
        let uses = try await stores[2].credentials.keys.keyUse(since: Instant(milliseconds: 0))
        #expect(uses.map(\.signatures) == [100])
    }

    @Test("Places are exact, whichever processes a customer asks")
    func places() async throws {
        let stores = try await stores(3)
        let offer = LimitScope("offer")
        let asked = (0..<160).map { number in
            let (entry, customer) = (LedgerEntry.sample(), number % 40)
            func reservation(_ rule: Reservation.Rule, _ name: LimitName) -> Reservation {
                Reservation(
                    scope: offer, rule: rule, names: [name], madeAt: .testNow, expiresAt: .hours(1), nonce: entry.nonce)
            }
            return (
                customer,
                LedgerSubmission(
                    entry,
                    reservations: [
                        reservation(.uses(LimitTerms(outstanding: 10, redeemed: 1)), LimitName(.customer, "\(customer)")),
                        reservation(.total(25, countsRefunded: true), .total),
                    ])
            )
        }
        let recorded = try await withThrowingTaskGroup(of: Int?.self) { group in
            for (number, (customer, submission)) in asked.enumerated() {
                group.addTask { try await stores[number % 3].ledger.record(submission) == .recorded ? customer : nil }
            }
            return try await group.reduce(into: []) { $0.append($1) }.compactMap(\.self)
        }
        #expect(recorded.count == 100 && Set(recorded).count == 25)
        // Each of those redeems one of the four, while the others still count as outstanding.
        let redemptions = asked.filter { recorded.contains($0.0) }.suffix(25).map { customer, submission in
            CountedRedemption(
                partition: "com.example.app", transactionID: "t-\(customer)", version: 1, total: offer.text(of: .total),
                names: [offer.text(of: LimitName(.customer, "\(customer)"))], redeemedAt: .testNow, isRefunded: false,
                nonce: submission.entry!.nonce)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, redemption) in redemptions.enumerated() {
                group.addTask { try await stores[number % 3].ledger.count([redemption]) }
            }
            try await group.waitForAll()
        }
        let look = Reservation(
            scope: offer, rule: .total(0, countsRefunded: true), names: [.total], madeAt: .testNow, expiresAt: .hours(1),
            nonce: UUID())
        guard case .limited(let findings) = try await stores[0].ledger.record(LedgerSubmission(nil, probes: [look])),
            case .usedUp(let evidence)? = findings.first?.reason
        else { throw CancellationError() }
        #expect(evidence.counted == 25 && evidence.freesAt == nil)
    }

    @Test("Twins under one idempotency key are signed once")
    func idempotency() async throws {
        let stores = try await stores(3)
        let keys = (0..<20).map { "key \($0)" }
        let outcomes = try await withThrowingTaskGroup(of: LedgerOutcome.self) { group in
            for key in keys {
                for store in stores {
                    group.addTask {
                        try await store.ledger.record(LedgerSubmission(.sample(), idempotency: .sample(key: key)))
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == .recorded } == keys.count)
        #expect(outcomes.count { if case .answeredBefore = $0 { true } else { false } } == 2 * keys.count)
    }

    @Test("Once a key is revoked no process records what it has signed")
    func revocation() async throws {
        let stores = try await stores(3)
        let signing = Task {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for store in stores {
                    group.addTask {
                        while try await store.ledger.record(LedgerSubmission(.sample())) == .recorded {}
                    }
                }
                try await group.waitForAll()
            }
        }
        while try await stores[0].ledger.latestInstant() == nil { await Task.yield() }
        let keyID = LedgerEntry.sample().keyID
        let decision = KeyDecision(
            keyID: keyID, bundleID: "com.example.app", state: KeyDecision.revoked, decidedAt: .testNow, decidedBy: "ann",
            reason: "")
        #expect(try await stores[1].credentials.keys.add([decision], after: 0, audit: []))
        func count() async throws -> Int {
            try await stores[2].credentials.keys.keyUse(since: Instant(milliseconds: 0)).reduce(0) { $0 + $1.signatures }
        }
        let signed = try await count()
        #expect(try await stores[0].ledger.record(LedgerSubmission(.sample())) == .keyRevoked(keyID))
        try await signing.value
        #expect(try await count() == signed)
    }

    private static let hour: Int64 = 3_600_000

    /// Signs on each store in turn; the retention can take what is older than so many hours.
    private func fill(_ stores: [SigningStore], entries: Int) async throws {
        for _ in 0..<entries {
            for store in stores { _ = try await store.ledger.record(LedgerSubmission(.sample())) }
            for _ in 0..<2 { try await stores[0].ledger.served(Self.hour, at: .testNow) }
        }
    }

    @Test("A verification in steps ends while retention takes rows, and while processes begin to write")
    func walk() async throws {
        let address = try TestDatabase.newSchema()
        let stores = try await stores(2, on: address)
        try await fill(stores, entries: 6)
        for store in stores {
            store.audit.use(.plain(1))
            _ = try await store.audit.seal(at: .testNow, certifying: nil)
        }
        var walk = stores[0].audit.walk(.plain([1]))
        for _ in 0..<12 where !walk.isOver {
            walk = try await stores[0].audit.step(walk, limit: 4)
            _ = try await stores[1].ledger.prune(servedSince: 5 * Self.hour, limit: 1)
            let another = try await self.stores(1, on: address)[0]
            _ = try await another.ledger.record(LedgerSubmission(.sample()))
            try another.file.close()
        }
        #expect(walk.isOver && walk.fault == nil)
        let faults = try await stores[0].audit.verify(.plain([1]), heads: []).faults.map(\.description)
        #expect(faults == [])
    }

    @Test("What another process removed before there was a seal is in the first one")
    func firstSeal() async throws {
        let stores = try await stores(2)
        try await fill(stores, entries: 3)
        #expect(try await stores[0].ledger.prune(servedSince: Self.hour, limit: 3) == 3)
        stores[1].audit.use(.plain(1))
        #expect(try await stores[1].audit.seal(at: .testNow, certifying: nil) != nil)
        #expect(try await stores[0].audit.verify(.plain([1]), heads: []).faults == [])
    }

    @Test("An erasure finds what every process has written, whatever time its clock showed")
    func erasure() async throws {
        let stores = try await stores(3)
        let entries = [Int64(0), 1_700_000_000_000, 4_000_000_000_000].map { LedgerEntry.sample(at: $0) }
        for (store, entry) in zip(stores, entries) { _ = try await store.ledger.record(LedgerSubmission(entry)) }
        let event = AuditEvent(at: .testNow, actor: "ann", action: "customer.erase")
        let customer = try #require(entries[0].request.customerID)
        #expect(try await stores[0].audit.erase([customer], bundleID: "com.example.app", audit: event) == 3)
        for entry in entries { #expect(try await stores[1].ledger.entry(nonce: entry.nonce)?.request.customerID == nil) }
        #expect(try await stores[2].audit.verify(.plain([]), heads: []).faults == [])
    }

    private enum AuditRow {
        static let event = AuditEvent(at: .testNow, actor: "ann", action: "a.b")
    }
}

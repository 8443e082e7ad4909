import EligibilityRules
import Foundation
import OfferStore
import OfferStoreTesting
import Testing

@Suite("Key contract")
struct KeyContractTests {
    private func decision(_ keyID: String, _ state: String, at milliseconds: Int64 = 1) -> KeyDecision {
        KeyDecision(
            keyID: keyID, bundleID: "com.example.app", state: state, decidedAt: Instant(milliseconds: milliseconds),
            decidedBy: "command-line", reason: "für Tests")
    }

    @Test("Decisions come back in their order, and each raises the revision", arguments: SigningStoreUnderTest.allCases)
    func decisions(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        #expect(try await store.credentials.keys.keyDecisions().all.isEmpty)
        let before = try #require(try await store.processes.changes.revisions()[.keys])
        let first = [decision("OLD", "retiring", at: 9), decision("NEW", "active", at: 9)]
        #expect(try await store.credentials.keys.add(first, after: 0))
        let second = [decision("NEW", "revoked", at: 7)]
        #expect(try await store.credentials.keys.add(second, after: 2))
        #expect(try await store.credentials.keys.keyDecisions().all == first + second)
        let after = try #require(try await store.processes.changes.revisions()[.keys])
        #expect(after > before)
    }

    @Test("Of two that decide at once one gets an error", arguments: SigningStoreUnderTest.allCases)
    func race(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        let keys = store.credentials.keys
        let won = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<10 {
                let made = [decision("K\(number)", "active"), decision("L\(number)", "retiring")]
                group.addTask { try await keys.add(made, after: 0) }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(won == 1)
        #expect(try await keys.keyDecisions().all.count == 2)
        #expect(try await !keys.add([decision("M", "active")], after: 0))
    }

    @Test("Use is counted by key and app, as far back as is asked", arguments: SigningStoreUnderTest.allCases)
    func use(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        #expect(try await store.credentials.keys.keyUse(since: Instant(milliseconds: 0)).isEmpty)
        for milliseconds in [100, 300, 200] as [Int64] {
            _ = try await store.ledger.record(
                LedgerSubmission(LedgerEntry.sample(nonces: [UUID(), UUID()], at: milliseconds)))
        }
        func use(since milliseconds: Int64) async throws -> [KeyUse] {
            try await store.credentials.keys.keyUse(since: Instant(milliseconds: milliseconds))
        }
        let latest = Instant(milliseconds: 300)
        let sample = LedgerEntry.sample(nonces: [UUID()])
        #expect(
            try await use(since: 200)
                == [KeyUse(keyID: sample.keyID, bundleID: sample.partition.bundleID, lastSignedAt: latest, signatures: 4)])
        #expect(try await use(since: 0).map(\.signatures) == [6])
        #expect(try await use(since: 301).isEmpty)
    }

    @Test(
        "Use is counted right however much there is, whenever and how often it is asked",
        arguments: SigningStoreUnderTest.allCases)
    func muchUse(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        var made: Int64 = 0
        for rows in [4094, 4095, 4096, 8191, 8192, 9000] as [Int64] {
            while made < rows {
                let end = min(made + 100, rows)
                _ = try await store.ledger.record((made + 1...end).map { LedgerSubmission(.sample(nonces: [UUID()], at: $0)) })
                made = end
            }
            for since in [0, 1, 4000, 4095, 4096, 4097, rows - 1, rows, 0] as [Int64] {
                let uses = try await store.credentials.keys.keyUse(since: Instant(milliseconds: since))
                let expected = rows - max(since, 1) + 1
                #expect(uses.map(\.signatures) == (expected > 0 ? [Int(expected)] : []), "\(rows) rows, since \(since)")
                #expect(uses.allSatisfy { $0.lastSignedAt == Instant(milliseconds: rows) })
            }
        }
    }

    @Test("A proposal waits until it is ended, once", arguments: SigningStoreUnderTest.allCases)
    func proposals(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        let proposals = [Int64(1), 5].map {
            KeyProposal(
                id: "p\($0)", requestName: "revoke", keyID: "K", bundleIDs: ["a", "b"], proposedAt: Instant(milliseconds: $0),
                proposedBy: "x", reason: "für Tests")
        }
        for proposal in proposals { try await store.credentials.keys.add(proposal) }
        #expect(try await store.credentials.keys.keyProposals(since: Instant(milliseconds: 0)) == proposals)
        #expect(try await store.credentials.keys.keyProposals(since: Instant(milliseconds: 2)) == [proposals[1]])
        #expect(try await store.credentials.keys.endProposal(id: "p5"))
        #expect(try await !store.credentials.keys.endProposal(id: "p5"))
        #expect(try await store.credentials.keys.keyProposals(since: Instant(milliseconds: 0)) == [proposals[0]])
    }
}

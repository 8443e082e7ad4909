import EligibilityRules
import FoundationEssentials
import OfferSigning
import OfferStore
import OfferStoreTesting
import Synchronization
import Testing

@testable import OfferService

@Suite("Key desk")
struct KeyDeskTests {
    private let now = Instant(milliseconds: 1_700_000_000_000)
    private let stores = TemporaryStore()
    private let desk: KeyDesk

    private var store: any KeyStore { stores.credentials.keys }

    init() {
        let now = now
        desk = KeyDesk(
            store: stores.credentials.keys,
            system: SystemEnvironment(now: { now }, randomBytes: SystemEnvironment.live.randomBytes))
    }

    private func entry() async throws -> KeyRing.Entry { try await IssuerWorkshop().ring.entries[0] }

    @Test(
        "A key is safe to revoke at Apple a day after its last signature for any app, and never while one needs it",
        arguments: [false, true])
    func safeToRevoke(isUsed: Bool) async throws {
        let entry = try await entry()
        func safeAt(_ bundleIDs: [String]) async throws -> [Instant?] {
            try await desk.list([entry], bundleIDs: bundleIDs).map(\.safeToRevokeAt)
        }
        func revoke(for app: String) async throws {
            _ = try await desk.decide(
                .revoke(entry.key.id, evenIfActive: true), for: [app], among: [entry], by: Origin(actor: "t"), reason: "")
        }
        let (app, other) = ("com.example.app", "com.example.other")
        let signed = now.advanced(by: -3_600_000)
        if isUsed {
            let signature = LedgerEntry.signed(with: entry.key.id, for: AppPartition(bundleID: app), at: signed)
            #expect(try await stores.ledger.record(LedgerSubmission(signature)) == .recorded)
        }
        #expect(try await safeAt([app, other]) == [nil, nil])
        try await revoke(for: app)
        // The other app still signs with it.
        #expect(try await safeAt([app, other]) == [nil, nil])
        try await revoke(for: other)
        let expected = isUsed ? signed.advanced(by: 86_400_000) : now
        #expect(try await safeAt([app, other]) == [expected, expected])
        #expect(try await desk.list([entry], bundleIDs: [app, other]).map(\.signatures) == [isUsed ? 1 : 0, 0])
    }

    @Test("A key signs only once every replica that lives has it; one is revoked in any case")
    func replicas() async throws {
        let (entry, now) = (try await entry(), now)
        let key = Replica.Key(id: entry.key.id, fingerprint: entry.key.fingerprint)
        let replicas = RecordedReplicas { now }
        let looks = Mutex(0)
        let system = SystemEnvironment(
            now: { now }, sleep: { _ in looks.withLock { $0 += 1 } }, randomBytes: SystemEnvironment.live.randomBytes)
        let desk = KeyDesk(store: store, replicas: replicas, system: system)
        func beat(_ id: String, _ keys: [Replica.Key]) async throws {
            _ = try await replicas.beat(
                Replica(
                    id: id, address: "\(id):8080", version: "1", startedAt: now, configurationDigest: "", keys: keys,
                    clockOffset: nil))
        }
        func decide(_ request: KeyDesk.KeyChangeRequest) async throws {
            _ = try await desk.decide(request, for: ["a"], among: [entry], by: Origin(actor: "t"), reason: "")
        }
        // It signs already: another one did before.
        #expect(
            try await store.add(
                [
                    KeyDecision(
                        keyID: key.id, bundleID: "a", state: "retiring", decidedAt: now, decidedBy: "t", reason: "")
                ], after: 0))
        try await beat("one", [key])
        for keys in [[], [Replica.Key(id: key.id, fingerprint: "another")]] {
            try await beat("two", keys)
            await #expect(throws: KeyError.notEverywhere(key.id, ["two:8080"])) { try await decide(.activate(key.id)) }
        }
        // What a replica lacks for a moment withdraws no proposal.
        try await store.add(
            KeyProposal(
                id: "p", requestName: "activate", keyID: key.id, bundleIDs: ["a"], proposedAt: now, proposedBy: "t", reason: ""))
        _ = try await desk.decide(
            .revoke(key.id, evenIfActive: true), for: ["b"], among: [entry], by: Origin(actor: "t"), reason: "")
        #expect(try await desk.openProposals().map(\.id) == ["p"])
        // What was copied a moment ago is waited for.
        #expect(looks.withLock { $0 } == 4)
        try await beat("two", [key])
        try await decide(.activate(key.id))
        try await beat("three", [])
        try await decide(.revoke(key.id, evenIfActive: true))
        #expect(try await store.keyDecisions().all.map(\.state) == ["retiring", "revoked", "active", "revoked"])
    }

    @Test("A decision for several apps is taken for all of them or for none")
    func allOrNone() async throws {
        let entry = try await entry()
        let id = entry.key.id
        _ = try await desk.decide(.revoke(id, evenIfActive: true), for: ["a"], among: [entry], by: Origin(actor: "t"), reason: "")
        await #expect(throws: KeyError.ended(id, state: "revoked")) {
            try await desk.decide(.activate(id), for: ["b", "a"], among: [entry], by: Origin(actor: "t"), reason: "")
        }
        #expect(try await store.keyDecisions().all.count == 1)
        // What one of them has already is no fault.
        let made = try await desk.decide(
            .revoke(id, evenIfActive: true), for: ["b", "a"], among: [entry], by: Origin(actor: "t"), reason: "")
        #expect(made.map(\.bundleID) == ["b"])
    }

    @Test("Where the folder cannot be read, a key can be revoked and nothing else be decided")
    func unreadable() async throws {
        for request in [KeyDesk.KeyChangeRequest.activate("K"), .rollBack(nil), .revoke("K", evenIfActive: false)] {
            await #expect(throws: KeyError.folderUnreadable) {
                try await desk.decide(request, for: ["a"], among: nil, by: Origin(actor: "t"), reason: "")
            }
        }
        let made = try await desk.decide(
            .revoke("K", evenIfActive: true), for: ["a"], among: nil, by: Origin(actor: "t"), reason: "why")
        #expect(made.map(\.state) == ["revoked"] && made.map(\.reason) == ["why"])
    }
}

extension LedgerEntry {
    fileprivate static func signed(with keyID: String, for partition: AppPartition, at instant: Instant) -> LedgerEntry {
        let sample = sample(nonces: [.init()])
        return LedgerEntry(
            signedAt: instant, partition: partition, keyID: keyID, form: sample.form,
            request: LedgerRequest(id: "r", caller: sample.request.caller), signatures: sample.signatures)
    }
}

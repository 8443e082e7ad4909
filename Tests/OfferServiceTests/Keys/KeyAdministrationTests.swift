import AppStore
import EligibilityRules
import OfferSigning
import OfferStore
import OfferStoreTesting
import Testing

@testable import OfferService

@Suite("Signing keys in people's hands")
struct KeyAdministrationTests {
    private let store = TemporaryStore()
    private let workshop: IssuerWorkshop
    private let administration: KeyAdministration
    private let ring: CurrentKeyRing

    init() async throws {
        workshop = try await IssuerWorkshop()
        let apps = ["com.example.app", "com.example.careful"]
        let loaded = LoadedKeys(ring: try KeyRing(entries: workshop.ring.entries, bundleIDs: apps))
        ring = CurrentKeyRing(
            loaded, store: store.credentials.keys, changes: store.processes.changes, system: .live,
            folder: CurrentKeyRing.Folder { decisions in
                try LoadedKeys(entries: loaded.ring.entries, bundleIDs: apps, decisions: decisions)
            })
        administration = KeyAdministration(
            desk: KeyDesk(store: store.credentials.keys, system: .live), access: store.credentials.access, ring: ring,
            apps: AppDirectory(apps.map { .sample($0, needsTwoPersons: $0 == "com.example.careful") }), folder: NoFolder())
    }

    private func caller(_ id: String, apps: [String]? = nil, madeBy: String? = nil, role: Role = .security) async throws -> Caller
    {
        let record = AccessRecord(
            id: id, secretDigest: [], role: role.rawValue, apps: apps, note: id,
            lifetime: AccessLifetime(createdAt: Instant(milliseconds: 0), createdBy: madeBy))
        try await store.credentials.access.add(record)
        return try #require(Caller(record, rate: RateState()))
    }

    private func revoke(_ bundleID: String?, by caller: Caller) async throws -> KeyChange {
        try await administration.decide(
            .revoke(workshop.key.id, evenIfActive: true), for: bundleID.map { [$0] } ?? [], by: caller, reason: "leaked")
    }

    @Test("What a caller decides holds at once, and for no app but its own")
    func scope() async throws {
        let limited = try await caller("limited", apps: ["com.example.app"])
        await #expect(throws: AppError.notAllowed("com.example.careful")) { try await revoke("com.example.careful", by: limited) }
        #expect(try await administration.list(for: limited).map(\.bundleID) == ["com.example.app"])
        let change = try await revoke(nil, by: limited)
        #expect(
            change == .decided([.init(keyID: workshop.key.id, bundleID: "com.example.app", state: "revoked")]))
        #expect(ring.activeKeyID(for: "com.example.app") == nil)
        #expect(ring.activeKeyID(for: "com.example.careful") == workshop.key.id)
    }

    @Test("Where two persons are needed, the second one's word makes it happen, and the first one's twice does not")
    func twoPersons() async throws {
        let (first, second) = (try await caller("first"), try await caller("second"))
        guard case .pending(let pending) = try await revoke("com.example.careful", by: first) else {
            Issue.record("it was decided by one person")
            return
        }
        #expect(try await revoke("com.example.careful", by: first) == .pending(pending))
        #expect(try await administration.pending(for: second) == [pending])
        #expect(ring.activeKeyID(for: "com.example.careful") == workshop.key.id)
        guard case .decided = try await revoke("com.example.careful", by: second) else {
            Issue.record("the second person changed nothing")
            return
        }
        #expect(ring.activeKeyID(for: "com.example.careful") == nil)
        #expect(try await administration.pending(for: second).isEmpty)
        let decision = try #require(try await store.credentials.keys.keyDecisions().all.last)
        #expect(decision.decidedBy == "second" && decision.reason.contains("first"))
    }

    @Test("Keys that one person has made for itself are no second person")
    func descent() async throws {
        let first = try await caller("first")
        _ = try await revoke("com.example.careful", by: first)
        let own = [
            try await caller("child", madeBy: "first"), try await caller("grandchild", madeBy: "child"),
        ]
        for caller in own {
            await #expect(throws: KeyError.self) { try await revoke("com.example.careful", by: caller) }
        }
        #expect(ring.activeKeyID(for: "com.example.careful") == workshop.key.id)
        #expect(try await administration.pending(for: first).count == 1)
    }

    @Test("Two keys that one person made are one person; two that an admin made are two")
    func siblings() {
        func record(_ id: String, _ role: Role = .security, by maker: String? = nil) -> AccessRecord {
            AccessRecord(
                id: id, secretDigest: [], role: role.rawValue, apps: nil, note: "",
                lifetime: AccessLifetime(createdAt: Instant(milliseconds: 0), createdBy: maker))
        }
        let descent = AccessDescent([
            record("admin", .admin), record("a", by: "admin"), record("b", by: "admin"), record("a1", by: "a"),
            record("a2", by: "a"),
        ])
        #expect(descent.areTwoPersons("a", "b") && descent.areTwoPersons("a1", "b"))
        #expect(!descent.areTwoPersons("a1", "a2") && !descent.areTwoPersons("a", "a") && !descent.areTwoPersons("admin", "a"))
    }

    @Test("A second person agrees to a proposal as it was made, for all of its apps; its own person does not")
    func agreement() async throws {
        let (first, second) = (try await caller("first"), try await caller("second"))
        let limited = try await caller("limited", apps: ["com.example.app"])
        guard case .pending(let pending) = try await revoke(nil, by: first) else {
            Issue.record("it was decided by one person")
            return
        }
        #expect(pending.bundleIDs == ["com.example.app", "com.example.careful"])
        let origin = Origin(actor: "second")
        await #expect(throws: KeyError.sameProposer(pending.id)) {
            try await administration.agree(pending.id, by: first, from: Origin(actor: "first"))
        }
        await #expect(throws: KeyError.unknownProposal(pending.id)) {
            try await administration.agree(pending.id, by: limited, from: Origin(actor: "limited"))
        }
        #expect(ring.activeKeyID(for: "com.example.careful") == workshop.key.id)
        try await administration.agree(pending.id, by: second, from: origin)
        #expect(ring.activeKeyID(for: "com.example.careful") == nil && ring.activeKeyID(for: "com.example.app") == nil)
        await #expect(throws: KeyError.unknownProposal(pending.id)) {
            try await administration.agree(pending.id, by: second, from: origin)
        }
    }

    @Test("A proposal can be withdrawn, once")
    func withdrawal() async throws {
        let first = try await caller("first")
        _ = try await revoke("com.example.careful", by: first)
        let id = try #require(try await administration.pending(for: first).first?.id)
        try await administration.withdraw(id, by: first)
        await #expect(throws: KeyError.unknownProposal(id)) { try await administration.withdraw(id, by: first) }
    }

    @Test("It is warned of a key without a spare, and of one that signs for several apps")
    func warnings() async throws {
        let lines = try await administration.list(for: try await caller("a"))
        #expect(
            administration.warnings(lines) == [
                .shared(keyID: workshop.key.id, bundleIDs: ["com.example.app", "com.example.careful"]),
                .noSpare(bundleID: "com.example.app", keyID: workshop.key.id),
                .noSpare(bundleID: "com.example.careful", keyID: workshop.key.id),
            ])
    }

    private struct NoFolder: KeyStaging {
        func stage(_ pem: SecretBytes, keyID: String, unlike known: [String: String], recorded: String?) async throws -> String {
            throw KeyError.folderReadOnly("a test")
        }
    }
}

extension App {
    /// An app without offers.
    static func sample(_ bundleID: String, needsTwoPersons: Bool = false) -> App {
        App(
            identity: .init(bundleID: bundleID, appAppleID: nil, environment: .production),
            rules: AppRules(enforcement: .enforce, needsTwoPersons: needsTwoPersons), policy: EligibilityPolicy(),
            catalogue: Catalogue(products: []))
    }
}

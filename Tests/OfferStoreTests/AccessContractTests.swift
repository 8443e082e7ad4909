import EligibilityRules
import OfferStore
import OfferStoreTesting
import Testing

@Suite("Access and secret contract")
struct AccessContractTests {
    private func record(_ id: String, at milliseconds: Int64 = 1, apps: [String]? = ["a", "b"]) -> AccessRecord {
        AccessRecord(
            id: id, secretDigest: [1, 2, 0], role: "client", apps: apps, note: "für Tests",
            lifetime: AccessLifetime(
                createdAt: Instant(milliseconds: milliseconds), createdBy: "maker", expiresAt: Instant(milliseconds: 2)),
            timeZone: "Europe/Berlin")
    }

    @Test("A key comes back as it went in, the oldest first", arguments: SigningStoreUnderTest.allCases)
    func roundTrip(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        #expect(try await store.credentials.access.accessRecords().isEmpty)
        let records = [record("b", at: 7), record("c", at: 3, apps: nil), record("a", at: 7, apps: ["x"])]
        for record in records { try await store.credentials.access.add(record) }
        #expect(try await store.credentials.access.accessRecords() == [records[1], records[2], records[0]])
        await #expect(throws: StoreError(.unavailable, "")) { try await store.credentials.access.add(records[0]) }
        #expect(try await store.credentials.access.accessRecords().count == 3)
    }

    @Test("Every change raises the revision, and what was revoked stays so", arguments: SigningStoreUnderTest.allCases)
    func revocation(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        let access = store.credentials.access
        func revision() async throws -> Int64? { try await store.processes.changes.revisions()[.access] }
        let before = try #require(try await revision())
        try await access.add(record("0123"))
        let added = try #require(try await revision())
        #expect(added > before)
        #expect(try await access.revokeAccess(id: "0123", at: Instant(milliseconds: 7)))
        #expect(try await access.revokeAccess(id: "0123", at: Instant(milliseconds: 9)))
        #expect(try await access.accessRecords().map(\.lifetime.revokedAt) == [Instant(milliseconds: 7)])
        let revoked = try #require(try await revision())
        #expect(revoked > added)
        #expect(try await !access.revokeAccess(id: "none", at: Instant(milliseconds: 7)))
        #expect(try await revision() == revoked)
        #expect(try await store.processes.changes.revisions() == [.access: revoked, .keys: 0, .campaigns: 0])
    }

    @Test(
        "What a revoked key did is recorded nowhere, and not done: the process that accepted it may have slept meanwhile",
        arguments: SigningStoreUnderTest.allCases)
    func revokedActor(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        let access = store.credentials.access
        func event(_ actor: String, _ action: String, _ object: String) -> AuditEvent {
            AuditEvent(at: Instant(milliseconds: 8), actor: actor, action: action, object: AuditObject(object))
        }
        for id in ["a", "b"] { try await access.add(record(id)) }
        #expect(try await access.revokeAccess(id: "a", at: Instant(milliseconds: 7), audit: [event("a", "access.revoke", "a")]))
        await #expect(throws: StoreError(.actorRevoked, "")) {
            try await access.add(record("c"), audit: [event("a", "access.create", "c")])
        }
        await #expect(throws: StoreError(.actorRevoked, "")) {
            try await access.revokeAccess(id: "b", at: Instant(milliseconds: 8), audit: [event("a", "access.revoke", "b")])
        }
        await #expect(throws: StoreError(.actorRevoked, "")) {
            try await store.audit.record([event("command-line", "key.load", "k"), event("a", "key.load", "k")])
        }
        #expect(try await access.accessRecords().map { $0.lifetime.revokedAt?.milliseconds } == [7, nil])
        try await access.add(record("c"), audit: [event("b", "access.create", "c")])
        #expect(try await access.revokeAccess(id: "a", at: Instant(milliseconds: 9), audit: [event("a", "access.revoke", "a")]))
        #expect(try await access.accessRecords().map(\.id) == ["a", "b", "c"])
    }

    @Test("Use is noted, the latest instant counts, and it is no change", arguments: SigningStoreUnderTest.allCases)
    func use(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        try await store.credentials.access.add(record("a"))
        let before = try await store.processes.changes.revisions()
        for milliseconds in [Int64(5), 9, 7] {
            try await store.credentials.access.noteUse(["a": Instant(milliseconds: milliseconds)])
        }
        #expect(try await store.credentials.access.accessRecords().map(\.lastUsedAt) == [Instant(milliseconds: 9)])
        #expect(try await store.processes.changes.revisions() == before)
    }

    @Test("A session is found until it is ended, and ended once", arguments: SigningStoreUnderTest.allCases)
    func sessions(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        func session(_ number: UInt8, _ accessID: String, used: Int64? = nil) -> SessionRecord {
            SessionRecord(
                digest: [number], kind: number == 0 ? .link : .session, accessID: accessID,
                createdAt: Instant(milliseconds: Int64(number)),
                usedAt: Instant(milliseconds: used ?? Int64(number)), address: "::1", userAgent: "für Tests",
                proxyName: number == 2 ? nil : "person-\(number)")
        }
        let all = [session(0, "a"), session(1, "a"), session(2, "b"), session(3, "a")]
        for each in all { try await store.credentials.sessions.add(each, forgettingBefore: Instant(milliseconds: 0)) }
        #expect(try await store.credentials.sessions.session(digest: [2]) == all[2])
        #expect(try await store.credentials.sessions.session(digest: [9]) == nil)
        #expect(try await store.credentials.sessions.sessions(accessID: "a") == [all[3], all[1], all[0]])
        try await store.credentials.sessions.noteUse(digest: [1], at: Instant(milliseconds: 8))
        #expect(try await store.credentials.sessions.session(digest: [1]) == session(1, "a", used: 8))
        #expect(try await store.credentials.sessions.end(digest: [1]))
        #expect(try await !store.credentials.sessions.end(digest: [1]))
        try await store.credentials.sessions.add(session(4, "c"), forgettingBefore: Instant(milliseconds: 1))
        #expect(try await store.credentials.sessions.session(digest: [0]) == nil)
        #expect(try await store.credentials.sessions.endAll(accessID: "a") == 1)
        #expect(try await store.credentials.sessions.sessions(accessID: "a").isEmpty)
        #expect(try await store.credentials.sessions.sessions(accessID: "b") == [all[2]])
    }

    @Test("A secret is made once, whichever caller asks", arguments: SigningStoreUnderTest.allCases)
    func secrets(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        let answers = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for number in UInt8(0)..<20 {
                group.addTask { try await store.credentials.secrets.secret(named: "seal") { [number] } }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(answers.count == 1)
        #expect(try await store.credentials.secrets.secret(named: "other") { [4, 5, 6] } == [4, 5, 6])
        #expect(try await store.credentials.secrets.secret(named: "seal") { [4, 5, 6] } == answers.first)
    }
}

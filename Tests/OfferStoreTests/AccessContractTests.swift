import EligibilityRules
import OfferStore
import OfferStoreTesting
import Testing

@Suite("Access and secret contract")
struct AccessContractTests {
    private func record(_ id: String, at milliseconds: Int64 = 1, apps: [String]? = ["a", "b"]) -> AccessRecord {
        AccessRecord(
            id: id, secretDigest: [1, 2, 0], role: "client", apps: apps, note: "für Tests",
            createdAt: Instant(milliseconds: milliseconds), expiresAt: Instant(milliseconds: 2))
    }

    @Test("A key comes back as it went in, the oldest first", arguments: SigningStoreUnderTest.allCases)
    func roundTrip(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        #expect(try await store.access.accessRecords().isEmpty)
        let records = [record("b", at: 7), record("c", at: 3, apps: nil), record("a", at: 7, apps: ["x"])]
        for record in records { try await store.access.add(record) }
        #expect(try await store.access.accessRecords() == [records[1], records[2], records[0]])
        await #expect(throws: StoreError(.unavailable, "")) { try await store.access.add(records[0]) }
        #expect(try await store.access.accessRecords().count == 3)
    }

    @Test("Every change raises the revision, and what was revoked stays so", arguments: SigningStoreUnderTest.allCases)
    func revocation(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        let access = store.access
        func revision() async throws -> Int64? { try await store.changes.revisions()[.access] }
        let before = try #require(try await revision())
        try await access.add(record("0123"))
        let added = try #require(try await revision())
        #expect(added > before)
        #expect(try await access.revokeAccess(id: "0123", at: Instant(milliseconds: 7)))
        #expect(try await access.revokeAccess(id: "0123", at: Instant(milliseconds: 9)))
        #expect(try await access.accessRecords().map(\.revokedAt) == [Instant(milliseconds: 7)])
        let revoked = try #require(try await revision())
        #expect(revoked > added)
        #expect(try await !access.revokeAccess(id: "none", at: Instant(milliseconds: 7)))
        #expect(try await revision() == revoked)
        #expect(try await store.changes.revisions() == [.access: revoked, .keys: 0])
    }

    @Test("A secret is made once, whoever asks", arguments: SigningStoreUnderTest.allCases)
    func secrets(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        let answers = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for number in UInt8(0)..<20 { group.addTask { try await store.secrets.secret(named: "seal") { [number] } } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(answers.count == 1)
        #expect(try await store.secrets.secret(named: "other") { [4, 5, 6] } == [4, 5, 6])
        #expect(try await store.secrets.secret(named: "seal") { [4, 5, 6] } == answers.first)
    }
}

import EligibilityRules
import Logging
import OfferStore
import OfferStoreTesting
import Testing

@testable import OfferService

@Suite("Access desk")
struct AccessDeskTests {
    private let stores = TemporaryStore()
    private let desk: AccessDesk

    private var store: any AccessStore { stores.credentials.access }

    init() {
        desk = AccessDesk(store: stores.credentials.access, apps: AppDirectory(["a", "b"].map { .sample($0) }), system: .live)
    }

    private func caller(_ role: Role, apps: [String]? = nil) async throws -> Caller {
        let (key, _) = try await desk.create(AccessKeyRequest(role: role, apps: apps, note: "n"), by: .commandLine)
        let record = try #require(try await store.accessRecords().first { $0.id == key.id })
        return try #require(Caller(record, rate: RateState()))
    }

    @Test("A caller cannot make or revoke a key above their own role")
    func roles() async throws {
        let (security, admin) = (try await caller(.security), try await caller(.admin))
        for role in Role.allCases where role != .admin {
            _ = try await desk.create(AccessKeyRequest(role: role, apps: nil, note: "n"), by: security)
        }
        await #expect(throws: AccessError.roleAbove(.admin, own: .security)) {
            try await desk.create(AccessKeyRequest(role: .admin, apps: nil, note: "n"), by: security)
        }
        await #expect(throws: AccessError.roleAbove(.admin, own: .security)) { try await desk.revoke(admin.id, by: security) }
        _ = try await desk.create(AccessKeyRequest(role: .admin, apps: nil, note: "n"), by: admin)
        try await desk.revoke(security.id, by: admin)
        #expect(try await desk.key(security.id, for: admin).revokedAt != nil)
    }

    @Test("Who holds a key for some apps neither makes, sees nor revokes one for others")
    func apps() async throws {
        let everywhere = try await caller(.security)
        let limited = try await caller(.security, apps: ["a"])
        await #expect(throws: AccessError.appsNotNamed) {
            try await desk.create(AccessKeyRequest(role: .client, apps: nil, note: "n"), by: limited)
        }
        await #expect(throws: AppError.notAllowed("b")) {
            try await desk.create(AccessKeyRequest(role: .client, apps: ["a", "b"], note: "n"), by: limited)
        }
        await #expect(throws: AppError.unknown("c")) {
            try await desk.create(AccessKeyRequest(role: .client, apps: ["c"], note: "n"), by: everywhere)
        }
        let (key, token) = try await desk.create(AccessKeyRequest(role: .client, apps: ["a"], note: "n"), by: limited)
        #expect(key.createdBy == limited.id && token.id == key.id)
        #expect(try await desk.list(for: limited).map(\.id).sorted() == [limited.id, key.id].sorted())
        await #expect(throws: AccessError.unknownKey(everywhere.id)) { try await desk.revoke(everywhere.id, by: limited) }
    }

    @Test("When a key was used last is noted apart from the key, and only if it is news")
    func use() async throws {
        let directory = AccessDirectory(store: store, feed: stores.processes.changes)
        let id = try await caller(.client).id
        try await directory.refresh()
        let recorder = AccessUseRecorder(
            directory: directory, store: store, system: .live, failures: FailureLog(logger: .init(label: "t")) { _ in })
        await recorder.writeOnce()
        #expect(try await store.accessRecords().first?.lastUsedAt == nil)
        let revision = try await stores.processes.changes.revisions()[.access]
        try #require(directory.caller(id: id)).noteUse(at: Instant(milliseconds: 7))
        await recorder.writeOnce()
        #expect(try await store.accessRecords().first?.lastUsedAt == Instant(milliseconds: 7))
        #expect(try await stores.processes.changes.revisions()[.access] == revision)
        #expect(directory.takeNewUses().isEmpty)
    }
}

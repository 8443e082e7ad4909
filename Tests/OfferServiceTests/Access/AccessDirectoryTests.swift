import EligibilityRules
import Logging
import OfferStore
import OfferStoreTesting
import Synchronization
import Testing

@testable import OfferService

@Suite("Access directory")
struct AccessDirectoryTests {
    private let store = CountedStore()
    private let directory: AccessDirectory

    init() {
        directory = AccessDirectory(store: store, feed: store)
    }

    private func record(_ id: String, role: Role = .client) -> AccessRecord {
        AccessRecord(
            id: id, secretDigest: [], role: role.rawValue, apps: nil, note: "",
            lifetime: AccessLifetime(createdAt: Instant(milliseconds: 0)))
    }

    @Test("It knows a key once it has looked, and that it was revoked once it has looked again")
    func changes() async throws {
        try await directory.refresh()
        try await store.add(record("a"))
        #expect(directory.caller(id: "a") == nil)
        try await directory.refresh()
        #expect(directory.caller(id: "a")?.isAdmitted(at: Instant(milliseconds: 1)) == true)
        _ = try await store.revokeAccess(id: "a", at: Instant(milliseconds: 0))
        try await directory.refresh()
        #expect(directory.caller(id: "a")?.isAdmitted(at: Instant(milliseconds: 1)) == false)
    }

    @Test("What nothing has changed is not read again, and a caller keeps its rate when something has")
    func reload() async throws {
        try await store.add(record("a"))
        for _ in 0..<10 { try await directory.refresh() }
        #expect(store.reads == 1)
        let rate = try #require(directory.caller(id: "a")).rate
        try await store.add(record("b"))
        try await directory.refresh()
        #expect(store.reads == 2)
        #expect(directory.caller(id: "a")?.rate === rate)
        #expect(directory.caller(id: "b")?.rate !== rate)
    }

    @Test("However many ask for an unknown key at once, the store is looked at a few times")
    func unknownKeys() async throws {
        try await store.add(record("new"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 { group.addTask { try await directory.refreshForUnknownKey() } }
            try await group.waitForAll()
        }
        #expect(directory.caller(id: "new") != nil)
        #expect(store.looks < 20)
    }

    @Test("While the store cannot be read, those who are known stay known, and who asks for others hears why")
    func failure() async throws {
        try await store.add(record("a"))
        try await directory.refresh()
        store.isAway = true
        await #expect(throws: StoreError(.unavailable, "")) { try await directory.refresh() }
        await #expect(throws: StoreError(.unavailable, "")) { try await directory.refreshForUnknownKey() }
        #expect(directory.caller(id: "a") != nil)
    }

    @Test("A key whose role this release does not know admits no caller")
    func unknownRole() async throws {
        try await store.add(
            AccessRecord(
                id: "a", secretDigest: [], role: "auditor", apps: nil, note: "",
                lifetime: AccessLifetime(createdAt: Instant(milliseconds: 0))))
        try await directory.refresh()
        #expect(directory.caller(id: "a") == nil)
    }

    /// A store that counts and can be away.
    private final class CountedStore: AccessStore, ChangeFeed {
        private let stores = TemporaryStore()
        private let state = Mutex((reads: 0, looks: 0, isAway: false))

        private var store: any AccessStore { stores.credentials.access }

        var reads: Int { state.withLock(\.reads) }
        var looks: Int { state.withLock(\.looks) }
        var isAway: Bool {
            get { state.withLock(\.isAway) }
            set { state.withLock { $0.isAway = newValue } }
        }

        func accessRecords() async throws(StoreError) -> [AccessRecord] {
            state.withLock { $0.reads += 1 }
            return try await store.accessRecords()
        }

        func noteUse(_ instants: [String: Instant]) async throws(StoreError) { try await store.noteUse(instants) }

        func revisions() async throws(StoreError) -> [ChangeTopic: Int64] {
            state.withLock { $0.looks += 1 }
            guard !isAway else { throw StoreError(.unavailable, "away") }
            return try await stores.processes.changes.revisions()
        }

        func add(_ record: AccessRecord, audit events: [AuditEvent]) async throws(StoreError) {
            try await store.add(record, audit: events)
        }

        func revokeAccess(id: String, at instant: Instant, audit events: [AuditEvent]) async throws(StoreError) -> Bool {
            try await store.revokeAccess(id: id, at: instant, audit: events)
        }
    }
}

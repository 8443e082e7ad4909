import EligibilityRules
import OfferStore
import OfferStoreTesting
import Testing

@testable import OfferService

@Suite("Leases of a process that was frozen")
struct LeaseTests {
    /// Access keys whose reading takes as long as the process is frozen.
    private struct FrozenAccess: AccessStore {
        let store: any AccessStore
        let clock: ManualClock
        let milliseconds: Int64

        func accessRecords() async throws(StoreError) -> [AccessRecord] {
            let records = try await store.accessRecords()
            clock.pass(milliseconds)
            return records
        }

        func add(_ record: AccessRecord, audit events: [AuditEvent]) async throws(StoreError) {
            try await store.add(record, audit: events)
        }

        func revokeAccess(id: String, at instant: Instant, audit events: [AuditEvent]) async throws(StoreError) -> Bool {
            try await store.revokeAccess(id: id, at: instant, audit: events)
        }

        func noteUse(_ instants: [String: Instant]) async throws(StoreError) { try await store.noteUse(instants) }
    }

    private let clock = ManualClock(Instant.testNow.milliseconds)

    @Test("A lease is held for as long as no other process can have it")
    func lapse() async throws {
        let store = TemporaryStore { [clock] in clock.now }
        defer { withExtendedLifetime(store) {} }
        let leases = store.leases
        let lease = Lease(leases, "work", holder: "own", uptime: clock.environment.uptime)
        #expect(!lease.isHeld)
        #expect(try await lease.hold())
        clock.pass(14_999)
        #expect(lease.isHeld)
        #expect(try await !leases.acquire("work", holder: "other", milliseconds: 1))
        clock.pass(1)
        #expect(!lease.isHeld)
        #expect(try await leases.acquire("work", holder: "other", milliseconds: 1000))
        #expect(try await !lease.hold())
        #expect(!lease.isHeld)
        clock.pass(1000)
        #expect(try await lease.hold())
        #expect(lease.isHeld)
    }

    @Test("An expiry is recorded by who has the turn, not by who had it before a freeze", arguments: [0, 3 * 3_600_000])
    func expiry(frozenFor milliseconds: Int64) async throws {
        let store = TemporaryStore { [clock] in clock.now }
        defer { withExtendedLifetime(store) {} }
        try await store.credentials.access.add(
            AccessRecord(
                id: "soon", secretDigest: [1], role: "signer", apps: nil, note: "",
                lifetime: AccessLifetime(createdAt: .testNow, expiresAt: .hours(72))), audit: [])
        await AccessWatch(
            store: FrozenAccess(store: store.credentials.access, clock: clock, milliseconds: milliseconds), audit: store.audit,
            progress: store.progress, turn: (store.leases, "own"), now: { [clock] in clock.now }, system: clock.environment,
            failures: RecordedLog().makeFailureLog()
        ).lookOnce()
        let events = try await store.audit.entries(.events, AuditFilter(action: "access.expiring"), before: nil, limit: 10)
        #expect(events.count == (milliseconds == 0 ? 1 : 0))
    }
}

import EligibilityRules
import OfferStore
import OfferStoreTesting
import Testing

@testable import OfferService

@Suite("Sessions of the console behind a proxy")
struct ProxiedSessionsTests {
    private let clock = ManualClock(1_700_000_000_000)
    private let store = TemporaryStore()
    private let source = SignInSource(address: "::1", userAgent: "Tests")
    private let sessions: ConsoleSessions
    private let directory: AccessDirectory

    init() {
        directory = AccessDirectory(store: store.credentials.access, feed: store.processes.changes)
        sessions = ConsoleSessions(store: store.credentials.sessions, directory: directory, system: clock.environment)
    }

    private func key(_ role: Role, expiresAt: Instant? = nil, revokedAt: Instant? = nil) async throws -> AccessToken {
        let token = try AccessToken.generate()
        try await store.credentials.access.add(
            AccessRecord(
                id: token.id, secretDigest: token.digest, role: role.rawValue, apps: nil, note: "",
                lifetime: AccessLifetime(createdAt: clock.now, expiresAt: expiresAt, revokedAt: revokedAt)))
        return token
    }

    private func who(_ cookie: String, _ person: ProxiedPerson? = nil) async throws -> String? {
        try await sessions.visitor(cookie: cookie, person: person)?.caller.id
    }

    @Test("A session that began with the proxy's word is worth nothing without it, or with another, and ends")
    func proxied() async throws {
        let (alice, bob) = (try await key(.security), try await key(.security))
        let person = ProxiedPerson(name: "alice", accessID: alice.id)
        let others: [ProxiedPerson?] = [
            nil, ProxiedPerson(name: "bob", accessID: bob.id), ProxiedPerson(name: "carol", accessID: nil),
            ProxiedPerson(name: "", accessID: nil),
            // The configuration has changed: the same name is another key's, or another name is this key's.
            ProxiedPerson(name: "alice", accessID: bob.id), ProxiedPerson(name: "alice", accessID: nil),
            ProxiedPerson(name: "alicia", accessID: alice.id),
        ]
        for other in others {
            let cookie = try await sessions.signIn(person, from: source).cookie
            #expect(try await who(cookie, person) == alice.id)
            #expect(try await who(cookie, other) == nil, "\(String(describing: other))")
            #expect(try await who(cookie, person) == nil, "ended: \(String(describing: other))")
        }
    }

    @Test("A session that began with a key goes on behind the proxy only as the person whose key it is")
    func withKey() async throws {
        let alice = try await key(.security)
        func signedIn() async throws -> String { try await sessions.signIn(accessKey: alice.text, from: source).cookie }
        let cookie = try await signedIn()
        #expect(try await who(cookie) == alice.id)
        #expect(try await who(cookie, ProxiedPerson(name: "alice", accessID: alice.id)) == alice.id)
        #expect(try await who(cookie) == alice.id)
        #expect(try await who(cookie, ProxiedPerson(name: "bob", accessID: nil)) == nil)
        #expect(try await who(cookie) == nil)
    }

    @Test("Only a good key for people signs in the person that the proxy names")
    func refused() async throws {
        let (program, revoked) = (try await key(.backend), try await key(.admin, revokedAt: clock.now))
        let expired = try await key(.admin, expiresAt: clock.now)
        for id in [revoked.id, expired.id, "0000000000000000", nil] {
            await #expect(throws: SignInError.unknownPerson) {
                try await sessions.signIn(ProxiedPerson(name: "alice", accessID: id), from: source)
            }
        }
        await #expect(throws: SignInError.notForPeople(.backend)) {
            try await sessions.signIn(ProxiedPerson(name: "robot", accessID: program.id), from: source)
        }
    }

    @Test("Sessions of either kind end after the same times, and with their key")
    func ends() async throws {
        let alice = try await key(.security)
        let person = ProxiedPerson(name: "alice", accessID: alice.id)
        let idle = try await sessions.signIn(person, from: source).cookie
        clock.pass(sessions.limits.idle - 1)
        #expect(try await who(idle, person) == alice.id)
        clock.pass(sessions.limits.idle)
        #expect(try await who(idle, person) == nil)
        let next = try await sessions.signIn(person, from: source).cookie
        #expect(try await who(next, person) == alice.id)
        _ = try await store.credentials.access.revokeAccess(id: alice.id, at: clock.now)
        try await directory.refresh()
        #expect(try await who(next, person) == nil)
    }

    @Test("Whose role needs a client certificate gets no session without")
    func certificates() async throws {
        let admin = try await key(.admin)
        let bare = SignInSource(address: "::1", userAgent: "", lacksCertificate: { $0 == .admin })
        await #expect(throws: SignInError.certificateNeeded) { try await sessions.signIn(accessKey: admin.text, from: bare) }
        await #expect(throws: SignInError.certificateNeeded) {
            try await sessions.signIn(ProxiedPerson(name: "a", accessID: admin.id), from: bare)
        }
        let link = try await sessions.makeLink(accessID: admin.id)
        await #expect(throws: SignInError.certificateNeeded) { try await sessions.signIn(link: link, from: bare) }
        #expect(try await store.credentials.sessions.sessions(accessID: admin.id).isEmpty)
        let security = try await key(.security)
        _ = try await sessions.signIn(accessKey: security.text, from: bare)
    }
}

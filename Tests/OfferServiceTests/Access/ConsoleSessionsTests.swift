import EligibilityRules
import OfferStore
import OfferStoreTesting
import Testing

@testable import OfferService

@Suite("Sessions of the console")
struct ConsoleSessionsTests {
    private static let minute: Int64 = 60_000

    private let store = TemporaryStore()
    private let clock = ManualClock(1_700_000_000_000)
    private let sessions: ConsoleSessions

    init() {
        sessions = ConsoleSessions(
            store: store.credentials.sessions,
            directory: AccessDirectory(store: store.credentials.access, feed: store.processes.changes),
            limits: ConsoleSessions.Limits(idle: 30 * Self.minute, absolute: 120 * Self.minute, link: 10 * Self.minute),
            system: clock.environment)
    }

    /// The id and the text of an access key.
    private func key(_ role: Role = .security, expiresIn milliseconds: Int64? = nil) async throws -> (id: String, text: String) {
        let token = try AccessToken.generate()
        try await store.credentials.access.add(
            AccessRecord(
                id: token.id, secretDigest: token.digest, role: role.rawValue, apps: nil, note: "",
                lifetime: AccessLifetime(createdAt: clock.now, expiresAt: milliseconds.map { clock.now.advanced(by: $0) })))
        return (token.id, token.text)
    }

    private func signIn(_ text: String, address: String = "192.0.2.1") async throws -> String {
        try await sessions.signIn(accessKey: text, from: SignInSource(address: address, userAgent: "browser")).cookie
    }

    private func isIn(_ cookie: String) async throws -> Bool { try await sessions.visitor(cookie: cookie) != nil }

    @Test("A session ends after so long without a request, and each request begins that anew")
    func idle() async throws {
        let cookie = try await signIn(try await key().text)
        for _ in 0..<3 {
            clock.pass(30 * Self.minute - 1)
            #expect(try await isIn(cookie))
        }
        clock.pass(30 * Self.minute)
        #expect(try await !isIn(cookie))
    }

    @Test("A session ends after its longest time, however busy it is")
    func absolute() async throws {
        let cookie = try await signIn(try await key().text)
        for _ in 0..<11 {
            clock.pass(10 * Self.minute)
            #expect(try await isIn(cookie))
        }
        clock.pass(10 * Self.minute - 1)
        #expect(try await isIn(cookie))
        clock.pass(1)
        #expect(try await !isIn(cookie))
    }

    @Test("A clock that is set back lengthens no session and no link; a little difference between two machines ends none")
    func clockSetBack() async throws {
        let (id, text) = try await key()
        let (cookie, link) = (try await signIn(text), try await sessions.makeLink(accessID: id))
        clock.leap(-Self.minute)
        #expect(try await isIn(cookie))
        #expect(try await sessions.sessions(of: try #require(try await sessions.visitor(cookie: cookie))).count == 1)
        clock.leap(-1)
        #expect(try await !isIn(cookie))
        await #expect(throws: SignInError.linkUsed) {
            try await sessions.signIn(link: link, from: SignInSource(address: "", userAgent: ""))
        }
        // Who signs in by the new time is in.
        let next = try await signIn(text)
        #expect(try await isIn(next))
        #expect(try await sessions.sessions(of: try #require(try await sessions.visitor(cookie: next))).count == 1)
    }

    @Test("Signing out everywhere ends all sessions of the key, and its links, but no other key's")
    func everywhere() async throws {
        let (own, other) = (try await key(), try await key())
        let cookies = [try await signIn(own.text), try await signIn(own.text)]
        let link = try await sessions.makeLink(accessID: own.id)
        let strange = try await signIn(other.text)
        let visitor = try #require(try await sessions.visitor(cookie: cookies[0]))
        #expect(try await sessions.sessions(of: visitor).map(\.isThis).sorted { $0 && !$1 } == [true, false])
        _ = try await sessions.signOutEverywhere(visitor)
        for cookie in cookies { #expect(try await !isIn(cookie)) }
        await #expect(throws: SignInError.linkUsed) {
            try await sessions.signIn(link: link, from: SignInSource(address: "", userAgent: ""))
        }
        #expect(try await isIn(strange))
    }

    @Test("Signing out ends this session only")
    func signOut() async throws {
        let text = try await key().text
        let (first, second) = (try await signIn(text), try await signIn(text))
        try await sessions.signOut(try #require(try await sessions.visitor(cookie: first)))
        #expect(try await !isIn(first))
        #expect(try await isIn(second))
    }

    @Test("The token of a form is of one session, and is not what the cookie or the store has")
    func forms() async throws {
        let text = try await key().text
        let cookies = [try await signIn(text), try await signIn(text)]
        var visitors: [ConsoleVisitor] = []
        for cookie in cookies { visitors.append(try #require(try await sessions.visitor(cookie: cookie))) }
        let (first, second) = (visitors[0], visitors[1])
        #expect(first.owns(formToken: first.formToken))
        #expect(try await sessions.visitor(cookie: cookies[0])?.formToken == first.formToken)
        for strange in [second.formToken, "", String(first.formToken.dropLast()), first.formToken + "0", cookies[0]] {
            #expect(!first.owns(formToken: strange))
        }
        let stored = try #require(try await store.credentials.sessions.sessions(accessID: first.caller.id).first)
        #expect(stored.digest != Array(cookies[0].utf8) && !cookies.contains(String(decoding: stored.digest, as: UTF8.self)))
    }

    @Test("A link signs in once, within its time, and is no cookie; a cookie is no link")
    func links() async throws {
        let id = try await key().id
        let (used, old, late) = (
            try await sessions.makeLink(accessID: id), try await sessions.makeLink(accessID: id),
            try await sessions.makeLink(accessID: id)
        )
        #expect(try await !isIn(used))
        let cookie = try await sessions.signIn(link: used, from: SignInSource(address: "192.0.2.1", userAgent: "b")).cookie
        #expect(try await isIn(cookie))
        for wrong in [used, cookie, "", "x"] {
            await #expect(throws: SignInError.linkUsed) {
                try await sessions.signIn(link: wrong, from: SignInSource(address: "", userAgent: ""))
            }
        }
        clock.pass(10 * Self.minute - 1)
        _ = try await sessions.signIn(link: late, from: SignInSource(address: "", userAgent: ""))
        clock.pass(1)
        await #expect(throws: SignInError.linkUsed) {
            try await sessions.signIn(link: old, from: SignInSource(address: "", userAgent: ""))
        }
    }

    @Test("Of many who use a link at once one comes in")
    func race() async throws {
        let link = try await sessions.makeLink(accessID: try await key().id)
        let admitted = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 {
                group.addTask { (try? await sessions.signIn(link: link, from: SignInSource(address: "", userAgent: ""))) != nil }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(admitted == 1)
    }

    @Test("A session ends with its access key: when that expires, and when it is revoked")
    func accessKey() async throws {
        let (short, long) = (try await key(expiresIn: 5 * Self.minute), try await key())
        let cookies = [try await signIn(short.text), try await signIn(long.text)]
        clock.pass(5 * Self.minute)
        #expect(try await !isIn(cookies[0]))
        #expect(try await isIn(cookies[1]))
        await #expect(throws: SignInError.wrongKey) { try await signIn(short.text) }
        _ = try await store.credentials.access.revokeAccess(id: long.id, at: clock.now)
        let directory = AccessDirectory(store: store.credentials.access, feed: store.processes.changes)
        try await directory.refresh()
        let other = ConsoleSessions(store: store.credentials.sessions, directory: directory, system: clock.environment)
        #expect(try await other.visitor(cookie: cookies[1]) == nil)
    }

    @Test("Keys for programs open no session", arguments: [Role.client, .backend])
    func programs(role: Role) async throws {
        let text = try await key(role).text
        await #expect(throws: SignInError.notForPeople(role)) { try await signIn(text) }
    }

    @Test("After ten wrong keys in a minute an address waits, and others do not; a clock that is set changes nothing")
    func tries() async throws {
        let text = try await key().text
        for _ in 0..<10 { await #expect(throws: SignInError.wrongKey) { try await signIn("osk_x_y") } }
        clock.pass(20_000)
        clock.leap(-86_400_000)
        await #expect(throws: SignInError.tooManyTries(seconds: 40)) { try await signIn(text) }
        _ = try await signIn(text, address: "192.0.2.2")
        clock.leap(2 * 86_400_000)
        await #expect(throws: SignInError.tooManyTries(seconds: 40)) { try await signIn(text) }
        clock.pass(40_000)
        _ = try await signIn(text)
    }
}

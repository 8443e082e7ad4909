import EligibilityRules
import Logging
import OfferSigning
import OfferSigningTesting
import OfferStore
import Testing

@testable import OfferHTTP
@testable import OfferService

@Suite("Gate")
struct GateTests {
    private let fixture = GateFixture()

    @Test("Who needs no key is let in without one, whatever comes in its place")
    func open() async throws {
        for token in [nil, "", "nonsense", try await fixture.key(.client)] {
            #expect(fixture.word(.open, token) == "admitted viewer -")
        }
    }

    @Test("Only a good key opens what needs one")
    func keys() async throws {
        let good = try await fixture.key(.client)
        let expired = try await fixture.key(.client, expiresAt: GateFixture.now)
        let revoked = try await fixture.key(.client, revokedAt: GateFixture.now)
        #expect(fixture.word(.needs(.sign), good) == "unknown")
        try await fixture.gate.refreshForUnknownKey()
        #expect(fixture.word(.needs(.sign), good) == "admitted client 2")
        #expect(fixture.word(.needs(.sign), nil) == "unauthorized - -")
        #expect(fixture.word(.needs(.sign), "osk_") == "unauthorized - -")
        #expect(fixture.word(.needs(.sign), String(good.dropLast())) == "unauthorized - -")
        #expect(fixture.word(.needs(.sign), expired) == "unauthorized client -")
        #expect(fixture.word(.needs(.sign), revoked) == "unauthorized client -")
        // None of these has taken anything from the rate.
        #expect(fixture.word(.needs(.sign), good) == "admitted client 1")
    }

    @Test("Who was let in by the head of a request is asked for again once its body is there")
    func confirmed() async throws {
        let (token, other) = (try await fixture.key(.client), try await fixture.key(.client))
        try await fixture.directory.refresh()
        let id = try #require(AccessToken(token[...])).id
        let caller = try #require(fixture.directory.caller(id: id))
        try fixture.gate.confirm(caller, for: .needs(.sign))
        try await fixture.revoke(token)
        #expect(fixture.gate.isCurrent)
        try fixture.gate.confirm(caller, for: .needs(.sign))
        fixture.freeze(1001)
        #expect(!fixture.gate.isCurrent)
        try await fixture.gate.catchUp()
        #expect(throws: Problem.self) { try fixture.gate.confirm(caller, for: .needs(.sign)) }
        try fixture.gate.confirm(caller, for: .open)
        #expect(fixture.word(.needs(.sign), other) == "admitted client 2")
    }

    @Test("Whose role needs a client certificate is refused without one that is still valid, at no cost to the key's rate")
    func certificates() async throws {
        let fixture = GateFixture(certificateRoles: [.backend, .admin])
        let (backend, client) = (try await fixture.key(.backend), try await fixture.key(.client))
        try await fixture.directory.refresh()
        let later = GateFixture.now.advanced(by: 1)
        for _ in 0..<5 {
            #expect(fixture.word(.needs(.sign), backend) == "unauthorized backend -")
            #expect(fixture.word(.needs(.sign), backend, certificate: GateFixture.now) == "unauthorized backend -")
        }
        let id = try #require(AccessToken(backend[...])).id
        let caller = try #require(fixture.directory.caller(id: id))
        #expect(caller.lastUsedAt == nil)
        #expect(fixture.word(.needs(.sign), backend, certificate: later) == "admitted backend 2")
        #expect(fixture.word(.needs(.sign), client) == "admitted client 2")
        // A certificate is not a key, and a caller without a key does not learn of it.
        #expect(fixture.word(.needs(.sign), nil, certificate: later) == "unauthorized - -")
        #expect(fixture.word(.needs(.sign), String(backend.dropLast()), certificate: later) == "unauthorized - -")
        guard case .refused(let problem, _, _) = fixture.gate.decide(.console, signedIn: caller) else {
            Issue.record("let in")
            return
        }
        #expect(problem == .certificateNeeded)
    }

    @Test("A role may do what it is for, and what it may not costs it as much", arguments: Role.allCases)
    func roles(_ role: Role) async throws {
        let token = try await fixture.key(role)
        try await fixture.directory.refresh()
        let expected = role.may(.history) ? "admitted \(role) 2" : "forbidden \(role) 2"
        #expect(fixture.word(.needs(.history), token) == expected)
    }

    @Test("The rate is the caller's, and a long body counts for several requests")
    func rate() async throws {
        let (token, other) = (try await fixture.key(.client), try await fixture.key(.client))
        try await fixture.directory.refresh()
        #expect(fixture.word(.needs(.sign), token, bodyBytes: 16 * 1024) == "admitted client 1")
        #expect(fixture.word(.needs(.sign), token) == "admitted client 0")
        #expect(fixture.word(.needs(.sign), token) == "rate-limited client 0")
        #expect(fixture.word(.needs(.sign), other, cost: 3) == "admitted client 0")
        #expect(fixture.word(.needs(.history), other) == "rate-limited client 0")
    }

    @Test("A caller gets the apps of its key, and an operation only an app that it has declared")
    func apps() async throws {
        let (one, all) = (try await fixture.key(.client, apps: ["a"]), try await fixture.key(.client))
        try await fixture.directory.refresh()
        func app(_ scope: AppScope, _ name: String?, _ token: String) throws -> String {
            guard case .admitted(let admission) = fixture.gate.decide(.needs(.sign), token: token[...], cost: 0, bodyBytes: nil)
            else { return "refused" }
            return try fixture.gate.app(scope, named: name, for: admission.caller).bundleID
        }
        #expect(try app(.named, nil, one) == "a")
        #expect(try app(.named, "a", one) == "a")
        #expect(throws: AppError.notAllowed("b")) { try app(.named, "b", one) }
        #expect(try app(.named, "b", all) == "b")
        #expect(throws: AppError.notNamed) { try app(.named, nil, all) }
        #expect(throws: AppError.unknown("c")) { try app(.named, "c", all) }
        #expect(try app(.inPath, "b", one) == "b")
        #expect(throws: AppError.unknown("")) { try app(.inPath, nil, all) }
        #expect(throws: Problem.self) { try app(.none, "a", all) }
    }

    @Test("A token of an end user opens what is for end users, within that user's rate, and needs no client certificate")
    func endUsers() async throws {
        let issuer = try TestTokenIssuer()
        let key = try issuer.makeKey("one", .edDSA)
        let (now, log) = (GateFixture.now, Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let system = SystemEnvironment(now: { now }, randomBytes: SystemEnvironment.live.randomBytes)
        let keys = CurrentTokenKeys(
            issuer: TestTokenIssuer.name,
            terms: CurrentTokenKeys.Terms(interval: .seconds(1), maxAge: 3_600_000, algorithms: [.edDSA]),
            system: system, failures: FailureLog(logger: log) { _ in }, logger: log
        ) { Array(#"{"keys":[\#(key)]}"#.utf8) }
        let directory = EndUserDirectory(
            issuers: [
                TokenIssuer(
                    name: TestTokenIssuer.name, algorithms: [.edDSA], leeway: 0, accountTokenClaim: nil,
                    audiences: [TestTokenIssuer.audience: ["a"]], keys: keys)
            ], names: try AuthenticationKey(secret: [1]), system: system)
        let fixture = GateFixture(certificateRoles: [.client], endUsers: directory)
        func token(_ sub: String) throws -> String {
            try issuer.token("one", .edDSA, claims: #""sub":"\#(sub)","exp":2000000000"#)
        }
        let (first, second) = (try token("first"), try token("second"))
        #expect(fixture.word(.needsOrEndUser(.sign), first) == "unverified")
        guard case .admitted(let admission) = try await fixture.gate.decideUnverified(token: first[...], cost: 1, bodyBytes: nil)
        else {
            Issue.record("not let in")
            return
        }
        #expect(admission.caller.endUser?.customerID == "first")
        #expect(try fixture.gate.app(.named, named: nil, for: admission.caller).bundleID == "a")
        #expect(throws: AppError.notAllowed("b")) { try fixture.gate.app(.named, named: "b", for: admission.caller) }
        #expect(
            fixture.gate.headers(try #require(admission.rate)).map(\.value) == [#""default";r=1;t=60"#, #""default";q=2;w=120"#])
        #expect(fixture.word(.needsOrEndUser(.sign), first) == "admitted client 0")
        #expect(fixture.word(.needsOrEndUser(.sign), first) == "rate-limited client 0")
        _ = try await directory.verify(second)
        #expect(fixture.word(.needsOrEndUser(.sign), second) == "admitted client 1")
        // Nothing else is open to them, and nothing of this to a service that knows no issuer.
        for access in [.needs(.sign), .needs(.verify), .session(.console)] as [OperationAccess] {
            #expect(fixture.word(access, second) == "unauthorized - -")
        }
        #expect(GateFixture().word(.needsOrEndUser(.sign), second) == "unauthorized - -")
        await #expect(throws: EndUserError.self) {
            try await fixture.gate.decideUnverified(token: second.dropLast(8), cost: 1, bodyBytes: nil)
        }
    }
}

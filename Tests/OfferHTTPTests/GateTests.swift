import EligibilityRules
import OfferStore
import Testing

@testable import OfferHTTP
@testable import OfferService

@Suite("Gate")
struct GateTests {
    private let trial = GateOnTrial()

    @Test("Who needs no key is let in without one, whatever comes in its place")
    func open() async throws {
        for token in [nil, "", "nonsense", try await trial.key(.client)] {
            #expect(trial.word(.open, token) == "admitted viewer -")
        }
    }

    @Test("Only a good key opens what needs one")
    func keys() async throws {
        let good = try await trial.key(.client)
        let expired = try await trial.key(.client, expiresAt: GateOnTrial.now)
        let revoked = try await trial.key(.client, revokedAt: GateOnTrial.now)
        #expect(trial.word(.needs(.sign), good) == "unknown")
        try await trial.gate.refreshForUnknownKey()
        #expect(trial.word(.needs(.sign), good) == "admitted client 2")
        #expect(trial.word(.needs(.sign), nil) == "unauthorized - -")
        #expect(trial.word(.needs(.sign), "osk_") == "unauthorized - -")
        #expect(trial.word(.needs(.sign), String(good.dropLast())) == "unauthorized - -")
        #expect(trial.word(.needs(.sign), expired) == "unauthorized client -")
        #expect(trial.word(.needs(.sign), revoked) == "unauthorized client -")
        // None of these has taken anything from the rate.
        #expect(trial.word(.needs(.sign), good) == "admitted client 1")
    }

    @Test("Whose role needs a client certificate is refused without one that is still valid, at no cost to the key's rate")
    func certificates() async throws {
        let trial = GateOnTrial(certificateRoles: [.backend, .admin])
        let (backend, client) = (try await trial.key(.backend), try await trial.key(.client))
        try await trial.directory.refresh()
        let later = GateOnTrial.now.advanced(by: 1)
        for _ in 0..<5 {
            #expect(trial.word(.needs(.sign), backend) == "unauthorized backend -")
            #expect(trial.word(.needs(.sign), backend, certificate: GateOnTrial.now) == "unauthorized backend -")
        }
        let id = try #require(AccessToken(backend[...])).id
        let caller = try #require(trial.directory.caller(id: id))
        #expect(caller.lastUsedAt == nil)
        #expect(trial.word(.needs(.sign), backend, certificate: later) == "admitted backend 2")
        #expect(trial.word(.needs(.sign), client) == "admitted client 2")
        // A certificate is no key, and nobody is told of it who has none.
        #expect(trial.word(.needs(.sign), nil, certificate: later) == "unauthorized - -")
        #expect(trial.word(.needs(.sign), String(backend.dropLast()), certificate: later) == "unauthorized - -")
        guard case .refused(let problem, _, _) = trial.gate.decide(.console, signedIn: caller) else {
            Issue.record("let in")
            return
        }
        #expect(problem == .certificateNeeded)
    }

    @Test("A role may do what it is for, and what it may not costs it as much", arguments: Role.allCases)
    func roles(_ role: Role) async throws {
        let token = try await trial.key(role)
        try await trial.directory.refresh()
        let expected = role.may(.history) ? "admitted \(role) 2" : "forbidden \(role) 2"
        #expect(trial.word(.needs(.history), token) == expected)
    }

    @Test("The rate is the caller's, and a long body counts for several requests")
    func rate() async throws {
        let (token, other) = (try await trial.key(.client), try await trial.key(.client))
        try await trial.directory.refresh()
        #expect(trial.word(.needs(.sign), token, bodyBytes: 16 * 1024) == "admitted client 1")
        #expect(trial.word(.needs(.sign), token) == "admitted client 0")
        #expect(trial.word(.needs(.sign), token) == "rate-limited client 0")
        #expect(trial.word(.needs(.sign), other, cost: 3) == "admitted client 0")
        #expect(trial.word(.needs(.history), other) == "rate-limited client 0")
    }

    @Test("A caller gets the apps of its key, and an operation only an app that it has declared")
    func apps() async throws {
        let (one, all) = (try await trial.key(.client, apps: ["a"]), try await trial.key(.client))
        try await trial.directory.refresh()
        func app(_ scope: AppScope, _ name: String?, _ token: String) throws -> String {
            guard case .admitted(let admission) = trial.gate.decide(.needs(.sign), token: token[...], cost: 0, bodyBytes: nil)
            else { return "refused" }
            return try trial.gate.app(scope, named: name, for: admission.caller).bundleID
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
}

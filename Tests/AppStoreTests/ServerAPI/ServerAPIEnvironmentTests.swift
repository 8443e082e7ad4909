import AppStoreTesting
import EligibilityRules
import Testing

@testable import AppStore

@Suite("Which environment of the Server API is asked")
struct ServerAPIEnvironmentTests {
    private typealias Reply = AppStoreStub.Reply

    private static let refused = Reply(status: 401)
    private static let unknown = Reply.error(404, 4_040_010)
    private static let good = Reply.json(#"{"hasMore":false,"signedTransactions":[],"data":[]}"#)

    /// Every question about a transaction, each with the environment that it is of.
    private static let aboutTransactions: [(name: String, ask: @Sendable (ServerAPI, AppStoreEnvironment) async throws -> Void)] =
        [
            ("history", { _ = try await $0.history(of: "2000", in: $1) }),
            ("subscriptions", { _ = try await $0.subscriptions(of: "2000", in: $1) }),
            ("account token", { try await $0.setAppAccountToken("t", ofOriginalTransaction: "2000", of: $1) }),
        ]

    /// Every question about something that belongs to one environment.
    private static let aboutOneEnvironment:
        [(name: String, ask: @Sendable (ServerAPI, AppStoreEnvironment) async throws -> Void)] =
            [
                ("notifications", { _ = try await $0.notificationHistory(from: 1000, to: 2000, in: $1) }),
                ("test notification", { _ = try await $0.requestTestNotification(in: $1) }),
                ("its fate", { _ = try await $0.testNotification("t", in: $1) }),
                ("consumption", { try await $0.sendConsumption([], ofTransaction: "2000", in: $1) }),
                ("pictures", { _ = try await $0.retentionImages(in: $1) }),
                ("texts", { _ = try await $0.retentionMessages(in: $1) }),
                ("URL", { _ = try await $0.realtimeURL(in: $1) }),
                ("setting the URL", { try await $0.setRealtimeURL("https://example.com", in: $1) }),
            ]

    /// What was asked of production and of the sandbox, and the error; nil for an answer.
    private func asking(
        _ environment: AppStoreEnvironment,
        production: Reply,
        sandbox: Reply,
        release: ReleaseInMemory = ReleaseInMemory(),
        _ ask: (ServerAPI, AppStoreEnvironment) async throws -> Void
    ) async throws -> (production: Int, sandbox: Int, error: AppStoreError?) {
        var result: (Int, Int, AppStoreError?) = (0, 0, nil)
        try await AppStoreStub.serve([production], [sandbox]) { first, second in
            let api = ServerAPI(
                endpoints: AppStoreEndpoints.Pair(production: first.baseURL, sandbox: second.baseURL), transport: .toStub(),
                policy: CallPolicy(retry: RetryPolicy(maxAttempts: 1)), system: ManualTime().system, release: release,
                token: { "token" })
            var failure: AppStoreError?
            do { try await ask(api, environment) } catch { failure = try #require(error as? AppStoreError) }
            result = (first.requests.count, second.requests.count, failure)
        }
        return result
    }

    @Test("A transaction of the Sandbox is asked about in the Sandbox, and Production is not asked")
    func sandboxFirst() async throws {
        for question in Self.aboutTransactions {
            let found = try await asking(.sandbox, production: Self.refused, sandbox: Self.good, question.ask)
            #expect(found == (0, 1, nil), "\(question.name)")
        }
    }

    @Test("After Production has refused the token, the Sandbox answers")
    func beforeRelease() async throws {
        for question in Self.aboutTransactions {
            let found = try await asking(.production, production: Self.refused, sandbox: Self.good, question.ask)
            #expect(found == (1, 1, nil), "\(question.name)")
        }
    }

    @Test(
        "An error after Production's refusal says what the Sandbox has shown of the key",
        arguments: [
            (unknown, AppStoreError.Code.appNotReleased, "the Sandbox does not know the transaction"),
            (refused, .unauthorized, "Production and the Sandbox refuse the token"),
            (Reply(status: 503), .unavailable, "503"), (.error(400, 4_000_006), .rejected, "4000006"),
        ] as [(AppStoreStub.Reply, AppStoreError.Code, String)])
    func afterRefusal(sandbox: AppStoreStub.Reply, code: AppStoreError.Code, words: String) async throws {
        for question in Self.aboutTransactions {
            let error = try await asking(.production, production: Self.refused, sandbox: sandbox, question.ask).error
            #expect(error?.code == code && error?.detail.contains(words) == true, "\(question.name): \(error as Any)")
            // Whatever may be otherwise after the release is not final: only a code of Apple's own is.
            if code == .appNotReleased { #expect(error?.appleCode == nil) }
        }
    }

    @Test(
        "What the Sandbox does not know of its own is unknown, whatever Production says",
        arguments: [refused, unknown, Reply(status: 503)])
    func unknownInSandbox(production: AppStoreStub.Reply) async throws {
        for question in Self.aboutTransactions {
            let found = try await asking(.sandbox, production: production, sandbox: Self.unknown, question.ask)
            #expect((found.production, found.sandbox) == (1, 1) && found.error?.appleCode == 4_040_010, "\(question.name)")
        }
    }

    @Test("A refusal by the Sandbox doubts the key at once; a proxy's 403 doubts nothing and asks nobody else")
    func otherRefusals() async throws {
        for question in Self.aboutTransactions {
            let refused = try await asking(.sandbox, production: Self.good, sandbox: Self.refused, question.ask)
            #expect((refused.production, refused.sandbox) == (0, 1) && refused.error?.detail.contains("issuerId") == true)
            let blocked = try await asking(.production, production: Reply(status: 403), sandbox: Self.good, question.ask)
            #expect((blocked.production, blocked.sandbox) == (1, 0) && blocked.error?.detail.contains("issuerId") == false)
        }
    }

    @Test("What belongs to Production alone is not there before the release, and the Sandbox shows that the key is good")
    func oneEnvironment() async throws {
        for question in Self.aboutOneEnvironment {
            let early = try await asking(.production, production: Self.refused, sandbox: Self.unknown, question.ask)
            #expect((early.production, early.sandbox, early.error?.code) == (1, 1, .appNotReleased), "\(question.name)")
            let wrong = try await asking(.production, production: Self.refused, sandbox: Self.refused, question.ask)
            #expect((wrong.production, wrong.sandbox, wrong.error?.code) == (1, 1, .unauthorized), "\(question.name)")
            let sandbox = try await asking(.sandbox, production: Self.refused, sandbox: Self.good, question.ask)
            #expect(sandbox.production == 0 && sandbox.error?.code != .unauthorized, "\(question.name)")
        }
    }

    @Test("An app that Production has answered was released: a refusal afterwards is the App Store's failure")
    func afterRelease() async throws {
        for question in Self.aboutTransactions + Self.aboutOneEnvironment {
            let release = ReleaseInMemory()
            // Neither a refusal nor an answer of the Sandbox is Production's answer.
            _ = try await asking(.production, production: Self.refused, sandbox: Self.good, release: release, question.ask)
            #expect(await !release.wasReleased, "\(question.name)")
            await release.note()
            let later = try await asking(
                .production, production: Self.refused, sandbox: Self.unknown, release: release, question.ask)
            #expect(later.error?.code == .unauthorized, "\(question.name)")
            #expect(later.error?.detail.contains("although the app was released") == true, "\(question.name)")
        }
        for answer in [Self.good, Self.unknown] {
            let release = ReleaseInMemory()
            _ = try await asking(.production, production: answer, sandbox: Self.refused, release: release) {
                _ = try await $0.history(of: "2000", in: $1)
            }
            #expect(await release.wasReleased)
        }
    }

    @Test("Refusals by Production, however many, keep no question from the Sandbox or from Production")
    func circuits() async throws {
        try await AppStoreStub.serve([Self.refused], [Self.good]) { production, sandbox in
            let api = ServerAPI(
                endpoints: AppStoreEndpoints.Pair(production: production.baseURL, sandbox: sandbox.baseURL),
                transport: .toStub(),
                policy: CallPolicy(
                    retry: RetryPolicy(maxAttempts: 1), circuit: CircuitState(threshold: 2, coolDown: 30_000)),
                system: ManualTime().system, release: ReleaseInMemory(), token: { "token" })
            for _ in 1...10 { _ = try await api.history(of: "2000", in: .production) }
            #expect((production.requests.count, sandbox.requests.count) == (10, 10))
        }
    }
}

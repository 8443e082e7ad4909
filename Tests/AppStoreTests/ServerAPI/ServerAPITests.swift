import AppStoreTesting
import EligibilityRules
import Synchronization
import Testing

@testable import AppStore

@Suite("Asking the App Store Server API")
struct ServerAPITests {
    private typealias Reply = AppStoreStub.Reply

    private static let unknown = AppStoreStub.Reply.error(404, 4_040_010)

    private func page(_ transactions: String, _ revision: String, more: Bool) -> Reply {
        .json(
            #"{"revision":"\#(revision)","hasMore":\#(more),"environment":"Production","signedTransactions":[\#(transactions)]}"#)
    }

    private func api(
        _ production: AppStoreStub,
        _ sandbox: AppStoreStub,
        _ time: ManualTime = ManualTime(),
        policy: CallPolicy = CallPolicy(),
        token: @escaping @Sendable () throws -> String = { "token" }
    ) -> ServerAPI {
        ServerAPI(
            endpoints: AppStoreEndpoints.Pair(production: production.baseURL, sandbox: sandbox.baseURL),
            transport: .toStub(), policy: policy, system: time.system, release: ReleaseInMemory(), token: token)
    }

    @Test("All pages of a history are read, each with the revision of the one before")
    func pages() async throws {
        let replies = [page(#""a","b""#, "r/1", more: true), page(#""c""#, "r+2", more: true), page("", "r3", more: false)]
        try await AppStoreStub.serve(replies) { production, sandbox in
            let time = ManualTime()
            let history = try await api(production, sandbox, time).history(of: "2000", in: .production)
            #expect(
                history
                    == TransactionHistory(
                        signedTransactions: ["a", "b", "c"], revision: "r3", environment: .production, isComplete: true))
            #expect(
                production.requests.map(\.uri) == [
                    "/inApps/v2/history/2000?sort=ASCENDING", "/inApps/v2/history/2000?sort=ASCENDING&revision=r%2F1",
                    "/inApps/v2/history/2000?sort=ASCENDING&revision=r%2B2",
                ])
            #expect(production.requests.allSatisfy { $0.method == "GET" && $0.headers["authorization"] == "Bearer token" })
            #expect(time.pauses == [20, 20])
        }
    }

    @Test("A history goes on from a revision, and keeps it when nothing is new")
    func resumed() async throws {
        try await AppStoreStub.serve([.json(#"{"hasMore":false}"#)]) { production, sandbox in
            let history = try await api(production, sandbox).history(of: "2000", in: .production, from: "old")
            #expect(history.signedTransactions.isEmpty && history.revision == "old" && history.isComplete)
            #expect(production.requests[0].uri.hasSuffix("&revision=old"))
        }
    }

    @Test("A page that announces another without naming it is an error", arguments: ["", #","revision":"old""#])
    func endless(revision: String) async throws {
        try await AppStoreStub.serve([.json(#"{"hasMore":true\#(revision)}"#)]) { production, sandbox in
            await #expect(throws: AppStoreError(.malformedAnswer, "")) {
                try await api(production, sandbox).history(of: "2000", in: .production, from: "old")
            }
        }
    }

    @Test(
        "A transaction that production does not know is asked for in the sandbox", arguments: [4_040_010, 4_040_005] as [Int64])
    func sandbox(code: Int64) async throws {
        let found = Reply.json(#"{"revision":"r","hasMore":false,"environment":"Sandbox","signedTransactions":["a"]}"#)
        try await AppStoreStub.serve([.error(404, code)], [found]) { production, sandbox in
            let history = try await api(production, sandbox).history(of: "2000", in: .production)
            #expect(history.environment == .sandbox && history.signedTransactions == ["a"])
            #expect(production.requests.count == 1 && sandbox.requests.count == 1)
        }
    }

    @Test("A transaction that neither environment knows is not found")
    func notFound() async throws {
        try await AppStoreStub.serve([Self.unknown], [Self.unknown]) { production, sandbox in
            let error = await #expect(throws: AppStoreError.self) {
                try await api(production, sandbox).subscriptions(of: "2000", in: .production)
            }
            #expect(error?.code == .notFound && error?.appleCode == 4_040_010)
        }
    }

    @Test("What cannot be a transaction id is not sent", arguments: ["", "a/b", "..", "1?x=1", "1%2F", "1 ", "é"])
    func transactionIDs(id: String) async throws {
        try await AppStoreStub.serve([.silence]) { production, sandbox in
            await #expect(throws: AppStoreError(.notFound, "")) {
                try await api(production, sandbox).history(of: id, in: .production)
            }
            #expect(production.requests.isEmpty)
        }
    }

    @Test("Subscriptions of all groups are listed; what names none is passed over")
    func subscriptions() async throws {
        let answer = Reply.json(
            """
            {"environment":"Production","bundleId":"b","appAppleId":42,"data":[{"subscriptionGroupIdentifier":"9","lastTransactions":[
            {"status":1,"originalTransactionId":"1","signedTransactionInfo":"t","signedRenewalInfo":"r"},{"status":2}]},{},
            {"lastTransactions":[{"status":77,"originalTransactionId":"3"}]}]}
            """)
        try await AppStoreStub.serve([answer]) { production, sandbox in
            let statuses = try await api(production, sandbox).subscriptions(of: "2000", in: .production)
            #expect(statuses.environment == .production)
            #expect(statuses.items.map(\.originalTransactionID) == ["1", "3"])
            #expect(statuses.items.map(\.status) == [1, 77])
            #expect(statuses.items[0].signedTransactionInfo == "t" && statuses.items[0].signedRenewalInfo == "r")
            #expect(production.requests.map(\.uri) == ["/inApps/v1/subscriptions/2000"])
        }
    }

    @Test("Notifications are asked for by time and page")
    func notifications() async throws {
        let first =
            #"{"notificationHistory":[{"signedPayload":"n","sendAttempts":[]},{}],"hasMore":true,"paginationToken":"t=/"}"#
        let replies: [Reply] = [.json(first), .json(#"{"notificationHistory":[],"hasMore":false,"paginationToken":"x"}"#)]
        try await AppStoreStub.serve([], replies) { production, sandbox in
            let api = api(production, sandbox)
            let page = try await api.notificationHistory(from: 1000, to: 2000, in: .sandbox)
            #expect(page == NotificationPage(signedPayloads: ["n"], nextPage: "t=/"))
            let last = try await api.notificationHistory(from: 1000, to: 2000, page: page.nextPage, in: .sandbox)
            #expect(last == NotificationPage(signedPayloads: [], nextPage: nil))
            let path = "/inApps/v1/notifications/history"
            #expect(sandbox.requests.map(\.uri) == [path, "\(path)?paginationToken=t%3D%2F"])
            #expect(sandbox.requests.allSatisfy { $0.method == "POST" && $0.body == #"{"startDate":1000,"endDate":2000}"# })
        }
    }

    @Test(
        "Codes that pass are asked for again",
        arguments: [
            (404, 4_040_002), (404, 4_040_004), (404, 4_040_006), (500, 5_000_001), (500, 5_000_000), (503, 0),
        ] as [(Int, Int64)])
    func retried(status: Int, code: Int64) async throws {
        try await AppStoreStub.serve([.error(status, code), page("", "r", more: false)]) { production, sandbox in
            let history = try await api(production, sandbox).history(of: "2000", in: .production)
            #expect(history.isComplete)
        }
        try await AppStoreStub.serve([.error(status, code)]) { production, sandbox in
            let error = await #expect(throws: AppStoreError.self) {
                try await api(production, sandbox).history(of: "2000", in: .production)
            }
            #expect(error?.code == .unavailable && error?.appleCode == code)
            #expect(production.requests.count == 3 && sandbox.requests.isEmpty)
        }
    }

    @Test(
        "Codes that do not pass are errors at once",
        arguments: [
            (404, 4_040_001, AppStoreError.Code.notFound), (400, 4_000_006, .rejected), (403, 0, .unauthorized),
        ] as [(Int, Int64, AppStoreError.Code)])
    func rejected(status: Int, code: Int64, expected: AppStoreError.Code) async throws {
        try await AppStoreStub.serve([.error(status, code)]) { production, sandbox in
            await #expect(throws: AppStoreError(expected, "")) {
                try await api(production, sandbox).history(of: "2000", in: .production)
            }
            #expect(production.requests.count == 1)
        }
    }

    @Test("Too many requests wait for the time in ms that the App Store names")
    func rateLimited() async throws {
        let time = ManualTime()
        let limited = Reply(
            status: 429, headers: ["Retry-After": "\(time.now.milliseconds + 3210)"], body: #"{"errorCode":4290000}"#)
        try await AppStoreStub.serve([limited, page("", "r", more: false)]) { production, sandbox in
            let history = try await api(production, sandbox, time).history(of: "2000", in: .production)
            #expect(history.isComplete)
            #expect(time.pauses == [3210])
        }
    }

    @Test("A long wait is not waited for, and nothing is sent until it is over")
    func longRateLimit() async throws {
        let time = ManualTime()
        let retryAt = time.now.advanced(by: 60_000)
        let limited = Reply(status: 429, headers: ["Retry-After": "\(retryAt.milliseconds)"])
        try await AppStoreStub.serve([limited, page("", "r", more: false)]) { production, sandbox in
            let api = api(production, sandbox, time)
            for _ in 1...2 {
                let error = await #expect(throws: AppStoreError.self) { try await api.history(of: "2000", in: .production) }
                #expect(error?.code == .rateLimited && error?.retryAt == retryAt)
            }
            #expect(production.requests.count == 1 && time.pauses.isEmpty)
            time.advance(by: 60_000)
            let history = try await api.history(of: "2000", in: .production)
            #expect(history.isComplete)
        }
    }

    @Test("An unreadable Retry-After is a usual pause", arguments: ["", "soon", "30", "-1", "99999999999999999999"])
    func unreadableRetryAfter(value: String) async throws {
        let time = ManualTime()
        let replies = [Reply(status: 429, headers: ["Retry-After": value]), page("", "r", more: false)]
        try await AppStoreStub.serve(replies) { production, sandbox in
            let history = try await api(production, sandbox, time).history(of: "2000", in: .production)
            #expect(history.isComplete)
            #expect(time.pauses == [100])
        }
    }

    @Test("A token is used for four minutes, and made anew when it is refused")
    func tokens() async throws {
        let made = Mutex(0)
        let token: @Sendable () -> String = {
            made.withLock {
                $0 += 1; return "token\($0)"
            }
        }
        let good = page("", "r", more: false)
        let refused = Reply(status: 401)
        try await AppStoreStub.serve([good, good, good, refused, good, refused], [refused]) { production, sandbox in
            let time = ManualTime()
            let api = api(production, sandbox, time, token: token)
            func ask() async throws { _ = try await api.history(of: "2000", in: .production) }
            try await ask()
            time.advance(by: 239_000)
            try await ask()
            time.advance(by: 1000)
            try await ask()
            try await ask()
            #expect(production.requests.map { $0.headers["authorization"] } == [1, 1, 2, 2, 3].map { "Bearer token\($0)" })
            await #expect(throws: AppStoreError(.unauthorized, "")) { try await ask() }
            #expect(production.requests.count == 7)
        }
    }

    @Test("Without a token nothing is sent, and the cause is not shown")
    func noToken() async throws {
        struct KeyTrouble: Error { let secret = "s3cret" }
        try await AppStoreStub.serve([.silence]) { production, sandbox in
            let api = api(production, sandbox, token: { throw KeyTrouble() })
            let error = await #expect(throws: AppStoreError.self) { try await api.history(of: "2000", in: .production) }
            #expect(error?.code == .tokenUnavailable && error.map { "\($0)" }?.contains("s3cret") == false)
            #expect(production.requests.isEmpty)
        }
    }

    @Test("A host that keeps failing is left alone, then tried once; the other host is not affected")
    func circuit() async throws {
        let time = ManualTime()
        let policy = CallPolicy(retry: RetryPolicy(maxAttempts: 2), circuit: CircuitState(threshold: 4, coolDown: 30_000))
        let replies = [Reply](repeating: Reply(status: 503), count: 4) + [Self.unknown]
        try await AppStoreStub.serve(replies, [page("", "r", more: false)]) { production, sandbox in
            let api = api(production, sandbox, time, policy: policy)
            for _ in 1...2 {
                await #expect(throws: AppStoreError(.unavailable, "")) { try await api.history(of: "2000", in: .production) }
            }
            let error = await #expect(throws: AppStoreError.self) { try await api.history(of: "2000", in: .production) }
            #expect(error?.code == .circuitOpen && (error?.retryAt).map { $0 > time.now } == true)
            #expect(production.requests.count == 4 && sandbox.requests.isEmpty)
            time.advance(by: 30_000)
            let history = try await api.history(of: "2000", in: .production)
            #expect(history.environment == .production)
            #expect(production.requests.count == 5 && sandbox.requests.count == 1)
        }
    }

    @Test("Consumption information is what Apple's page shows, and 202 means that it has arrived")
    func consumption() async throws {
        let bodies: [(RefundAnswer, String)] = [
            (RefundAnswer(), #"{"customerConsented":true,"sampleContentProvided":false,"deliveryStatus":"DELIVERED"}"#),
            (
                RefundAnswer(
                    preference: .grantProrated, deliveryStatus: .delivered, sampleContentProvided: true,
                    consumptionPercentage: 67_932),
                #"{"customerConsented":true,"sampleContentProvided":true,"deliveryStatus":"DELIVERED","#
                    + #""consumptionPercentage":67932,"refundPreference":"GRANT_PRORATED"}"#
            ),
            (
                RefundAnswer(preference: .decline, deliveryStatus: .serverOutage, consumptionPercentage: 0),
                #"{"customerConsented":true,"sampleContentProvided":false,"deliveryStatus":"UNDELIVERED_SERVER_OUTAGE","#
                    + #""consumptionPercentage":0,"refundPreference":"DECLINE"}"#
            ),
        ]
        for (answer, body) in bodies {
            #expect(String(decoding: ServerAPI.consumption(answer), as: UTF8.self) == body)
        }
        let body = ServerAPI.consumption(RefundAnswer())
        try await AppStoreStub.serve([Reply(status: 599)], [Reply(status: 202), Self.error(400)]) { production, sandbox in
            let api = api(production, sandbox)
            try await api.sendConsumption(body, ofTransaction: "70000", in: .sandbox)
            #expect(
                sandbox.requests.map { "\($0.method) \($0.uri) \($0.body)" } == [
                    "PUT /inApps/v2/transactions/consumption/70000 \(bodies[0].1)"
                ])
            await #expect(throws: AppStoreError(.rejected, "")) {
                try await api.sendConsumption(body, ofTransaction: "70000", in: .sandbox)
            }
            await #expect(throws: AppStoreError(.notFound, "")) {
                try await api.sendConsumption(body, ofTransaction: "1/2", in: .sandbox)
            }
            #expect(production.requests.isEmpty && sandbox.requests.count == 2)
        }
    }

    private static func error(_ status: Int) -> Reply { .error(status, Int64(status) * 10_000 + 35) }
}

import AppStoreTesting
import EligibilityRules
import Testing

@testable import AppStore

@Suite("Asking verifyReceipt")
struct ReceiptVerificationTests {
    private static let genuine = AppStoreStub.Reply.json(
        #"{"status":0,"receipt":{"bid":"b","transaction_id":"1","product_id":"p","purchase_date_ms":"1000"}}"#)

    private static func status(_ status: Int, _ rest: String = "") -> AppStoreStub.Reply {
        .json(#"{"status":\#(status)\#(rest)}"#)
    }

    private func verify(
        _ production: [AppStoreStub.Reply],
        _ sandbox: [AppStoreStub.Reply] = [.silence],
        time: ManualTime = ManualTime()
    ) async throws -> (result: Result<ReceiptResponse, AppStoreError>, production: [AppStoreStub.Request], sandbox: Int) {
        try await AppStoreStub.serve(production, sandbox) { production, sandbox in
            let verification = ReceiptVerification(
                endpoints: AppStoreEndpoints.Pair(
                    production: production.baseURL + "/verifyReceipt", sandbox: sandbox.baseURL + "/verifyReceipt"),
                transport: .toStub(), system: time.system)
            let result: Result<ReceiptResponse, AppStoreError>
            do throws(AppStoreError) {
                result = .success(try await verification.verify(receiptData: "TUFD+/==", sharedSecret: #"s"ecret"#))
            } catch {
                result = .failure(error)
            }
            return (result, production.requests, sandbox.requests.count)
        }
    }

    @Test("Receipt and secret are posted to production, and the sandbox is left alone")
    func request() async throws {
        let asked = try await verify([Self.genuine])
        let response = try asked.result.get()
        #expect(response.environment == .production && response.history.chains.count == 1)
        #expect(response.history.chains[0].environment == .production)
        #expect(asked.production.count == 1 && asked.sandbox == 0)
        let request = try #require(asked.production.first)
        #expect(request.method == "POST" && request.uri == "/verifyReceipt")
        #expect(request.headers["content-type"] == "application/json")
        #expect(request.body == #"{"receipt-data":"TUFD+/==","password":"s\"ecret","exclude-old-transactions":false}"#)
    }

    @Test("A sandbox receipt is asked for again in the sandbox")
    func sandbox() async throws {
        let asked = try await verify([Self.status(21007)], [Self.genuine])
        #expect(try asked.result.get().environment == .sandbox)
        #expect(asked.production.count == 1 && asked.sandbox == 1)
    }

    @Test(
        "What passes is asked for again",
        arguments: [
            status(21005), status(21009), status(21150, #","is_retryable":"true""#), AppStoreStub.Reply(status: 503),
            .init(status: 500),
            .init(status: 429), status(21002),
        ])
    func retried(reply: AppStoreStub.Reply) async throws {
        let time = ManualTime()
        let asked = try await verify([reply, Self.genuine], time: time)
        #expect(try asked.result.get().status == 0)
        #expect(asked.production.count == 2 && time.pauses == [100])
    }

    @Test(
        "What does not pass is an error after three attempts",
        arguments: [
            (status(21005), AppStoreError.Code.unavailable, 21005), (status(21150, #","is_retryable":1"#), .unavailable, 21150),
            (AppStoreStub.Reply(status: 503), .unavailable, nil), (.init(status: 429), .rateLimited, nil),
        ] as [(AppStoreStub.Reply, AppStoreError.Code, Int64?)])
    func exhausted(reply: AppStoreStub.Reply, code: AppStoreError.Code, appleCode: Int64?) async throws {
        let time = ManualTime()
        let asked = try await verify([reply], time: time)
        let error = try #require(throws: AppStoreError.self) { try asked.result.get() }
        #expect(error.code == code && error.appleCode == appleCode)
        #expect(asked.production.count == 3 && time.pauses == [100, 200])
    }

    @Test(
        "A receipt that is not accepted is an answer, and is not sent again",
        arguments: [
            (21000, 1), (21002, 2), (21003, 1), (21004, 1), (21008, 1), (21010, 1), (21150, 1), (99999, 1),
        ])
    func refused(status: Int, attempts: Int) async throws {
        let asked = try await verify([Self.status(status)])
        let response = try asked.result.get()
        #expect(response.status == status && !response.isGenuine && response.history.isEmpty)
        #expect(asked.production.count == attempts && asked.sandbox == 0)
    }

    @Test(
        "What is no answer of verifyReceipt is an error at once",
        arguments: [
            (AppStoreStub.Reply.json("<html>"), AppStoreError.Code.malformedAnswer), (.json("{}"), .malformedAnswer),
            (.json(#"{"status":0,"status":0}"#), .malformedAnswer), (.init(status: 404), .notFound),
            (.init(status: 400), .rejected),
            (.init(status: 302, headers: ["X": "y"]), .rejected),
        ])
    func malformed(reply: AppStoreStub.Reply, code: AppStoreError.Code) async throws {
        let asked = try await verify([reply])
        #expect(throws: AppStoreError(code, "")) { try asked.result.get() }
        #expect(asked.production.count == 1)
    }
}

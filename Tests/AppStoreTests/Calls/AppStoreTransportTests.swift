import AppStoreTesting
import EligibilityRules
import Testing

@testable import AppStore

@Suite("Sending to the App Store", .timeLimit(.minutes(30)))
struct AppStoreTransportTests {
    private func code(_ transport: any AppStoreTransport, _ url: String) async -> AppStoreError.Code? {
        do { _ = try await transport.send(AppStoreRequest(url, "/x")) } catch { return error.code }
        return nil
    }

    @Test(
        "An answer that does not come, or not to its end, is waited for no longer than the time-out",
        arguments: [
            AppStoreStub.Reply.silence, .init(body: "{}", isCutShort: true),
        ])
    func timeout(reply: AppStoreStub.Reply) async throws {
        try await AppStoreStub.serve([reply]) { production, _ in
            // It never comes: without a time-out this would not end.
            #expect(await code(.toStub(timeout: .milliseconds(200)), production.baseURL) == .timedOut)
        }
    }

    @Test("An answer that is too long is refused")
    func bodyLimit() async throws {
        try await AppStoreStub.serve([.json(String(repeating: " ", count: 1001))]) { production, _ in
            #expect(await code(.toStub(bodyLimit: 1000), production.baseURL) == .malformedAnswer)
            #expect(await code(.toStub(bodyLimit: 1001), production.baseURL) == nil)
        }
    }

    @Test("A host that is not there, and a URL that is none, are unreachable", arguments: ["http://127.0.0.1:1", "nonsense", ""])
    func unreachable(url: String) async {
        #expect(await code(.toStub(), url) == .unreachable)
    }

    @Test("A caller who cancels gets an error that says so, and the host is not blamed")
    func cancelled() async throws {
        try await AppStoreStub.serve([.silence]) { production, sandbox in
            let task = Task { await code(.toStub(timeout: .seconds(60)), production.baseURL) }
            while production.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            task.cancel()
            #expect(await task.value == .cancelled)
        }
    }

    @Test("A time-out is sent again, and counts as a failure of the host")
    func retried() async throws {
        let time = ManualTime()
        let policy = CallPolicy(circuit: CircuitState(threshold: 3, coolDown: 1000))
        try await AppStoreStub.serve([.silence]) { production, sandbox in
            let verification = ReceiptVerification(
                endpoints: AppStoreEndpoints.Pair(production: production.baseURL, sandbox: sandbox.baseURL),
                transport: .toStub(timeout: .seconds(3)), policy: policy, system: time.system)
            await #expect(throws: AppStoreError(.timedOut, "")) {
                try await verification.verify(receiptData: "TUFD", sharedSecret: nil)
            }
            #expect(time.pauses.count == 2)
            let body = #"{"receipt-data":"TUFD","exclude-old-transactions":false}"#
            // A busy machine may not have sent all of them in time.
            #expect(!production.requests.isEmpty && production.requests.allSatisfy { $0.body == body })
            await #expect(throws: AppStoreError(.circuitOpen, "")) {
                try await verification.verify(receiptData: "TUFD", sharedSecret: nil)
            }
        }
    }
}

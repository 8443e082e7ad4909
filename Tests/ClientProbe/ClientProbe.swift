import AsyncHTTPClient
import Foundation
import OfferSignerClient
import OfferSignerServerClient

/// Buys as an app does, with each transport against a running service; fails with the first wrong answer.
///
/// Environment: `SERVICE`, `ACCESS_KEY`, `BACKEND_KEY` (role `backend`), `CUSTOMER` (a former subscriber), `STRANGER` (never
/// subscribed), and of the customer `TRANSACTION` (an id), `SIGNED_TRANSACTION` and `RECEIPT`.
@main
struct ClientProbe {
    static let offers = [SignatureRequest.Offer(productId: "com.example.pro.monthly", offerId: "winback50")]

    static func main() async throws {
        let client = HTTPClient(configuration: HTTPClient.Configuration(redirectConfiguration: .disallow))
        for transport: any Transport in [URLSessionTransport(), AsyncHTTPTransport(client)] {
            try await signs(transport)
            try await supplies(transport)
            try await repeats(transport)
            try await fails(transport)
        }
        try await client.shutdown()
    }

    static func value(_ name: String) -> String { ProcessInfo.processInfo.environment[name]! }

    static func signer(
        _ transport: any Transport,
        at service: String = value("SERVICE"),
        timeout: TimeInterval = 30,
        as key: String = "ACCESS_KEY"
    ) -> OfferSigner {
        OfferSigner(baseURL: URL(string: service)!, transport: transport, timeout: timeout, requestTimeout: 20) { value(key) }
    }

    static func request(_ customer: String, form: SignatureRequest.Form = .payload) -> SignatureRequest {
        SignatureRequest(offers: offers, form: form, customerId: customer, bundleId: "com.example.app")
    }

    static func signs(_ transport: any Transport) async throws {
        let signer = signer(transport)
        let known = try await signer.eligibility(
            EligibilityRequest(products: ["com.example.pro.monthly"], customerId: value("CUSTOMER"), bundleId: "com.example.app"))
        try expect(known.products.first?.eligibleOfferIds.contains("winback50") == true, "\(known)")
        let given = try await signer.offers(
            OffersRequest(
                placement: "paywall", attributes: ["country": "US", "visits": 3], customerId: value("CUSTOMER"),
                bundleId: "com.example.app"))
        try expect(given.offers.isEmpty, "\(given)")
        guard case .payload(let signed) = try await signer.signatures(request(value("CUSTOMER"))).first else {
            throw Wrong(said: "no payload signature")
        }
        print(
            "signed {\"keyIdentifier\":\"\(signed.keyIdentifier)\",\"nonce\":\"\(signed.nonce.uuidString.lowercased())\","
                + "\"timestamp\":\(signed.timestamp),\"signature\":\"\(signed.base64)\"}")
        // The customer cancels, and taps again.
        guard case .payload(let again) = try await signer.signatures(request(value("CUSTOMER"))).first else {
            throw Wrong(said: "not signed again")
        }
        try expect(again.nonce != signed.nonce && again.timestamp >= signed.timestamp, "\(signed), then \(again)")
        let verified = try await signer.verify(VerifyRequest(signed, bundleId: "com.example.app"))
        try expect(verified.isValid && verified.findings.isEmpty, "\(verified)")
        var changed = VerifyRequest(signed, bundleId: "com.example.app")
        changed.timestamp = signed.timestamp / 1000
        let found = try await signer.verify(changed)
        try expect(!found.isValid && found.findings.contains { $0.code == "timestamp-in-seconds" }, "\(found)")
        var full = request(value("CUSTOMER"), form: .jws)
        (full.attributes, full.appTransactionId) = (["country": "US", "visits": 3], "704289572311513293")
        guard case .jws(let jws) = try await signer.signatures(full).first else { throw Wrong(said: "no JWS") }
        let checked = try await signer.verify(VerifyRequest(compactJWS: jws.compactJWS, bundleId: "com.example.app"))
        try expect(checked.isValid, "\(checked)")
        guard case .refused(let refusal) = try await signer.signatures(request(value("STRANGER"))).first else {
            throw Wrong(said: "not refused")
        }
        try expect(refusal.code == "never-subscribed", "\(refusal)")
        let introductory = try await signer.introductoryOfferSignatures(
            IntroductoryOfferRequest(
                products: [.init(productId: "com.example.pro.monthly", transactionId: "1")], customerId: value("STRANGER"),
                bundleId: "com.example.app"))
        try expect(introductory.first?.compactJWS == nil, "\(introductory)")
    }

    /// Hands in what a customer has bought, and binds it, as a backend does.
    static func supplies(_ transport: any Transport) async throws {
        let (backend, bundleId, customer) = (signer(transport, as: "BACKEND_KEY"), "com.example.app", value("CUSTOMER"))
        let transactions = try await backend.transactions(
            TransactionsRequest(signedTransactions: [value("SIGNED_TRANSACTION")], customerId: customer, bundleId: bundleId))
        try expect(transactions.accepted + transactions.unchanged == 1 && transactions.rejected.isEmpty, "\(transactions)")
        let receipt = try await backend.receipts(
            ReceiptRequest(receiptData: value("RECEIPT"), customerId: customer, bundleId: bundleId))
        try expect(receipt.rejected.isEmpty, "\(receipt)")
        let answer = #"{"status":0,"environment":"Production","receipt":{"bundle_id":"com.example.app","in_app":[]}}"#
        let verified = try await backend.receipts(
            ReceiptRequest(verifiedReceipt: VerifiedReceipt(Data(answer.utf8)), customerId: customer, bundleId: bundleId))
        try expect(verified.accepted == 0 && verified.rejected.isEmpty, "\(verified)")
        let refreshed = try await backend.refresh(
            RefreshRequest(transactionId: value("TRANSACTION"), customerId: customer, bundleId: bundleId))
        try expect(refreshed.rejected.isEmpty, "\(refreshed)")

        let request = BindingRequest(transactionId: value("TRANSACTION"), bundleId: bundleId)
        let bound = try await backend.bind(request, to: customer)
        try expect(bound.status == "unchanged", "\(bound)")
        guard case .rejected(409, let problem) = await failure({ try await backend.bind(request, to: value("STRANGER")) }) else {
            throw Wrong(said: "bound to another customer")
        }
        try expect(problem.code == "bound-to-another-customer", "\(problem)")
        // An id with all that a path must escape.
        let unknown = BindingRequest(transactionId: String(UInt64.random(in: 1...9_000_000_000_000_000)), bundleId: bundleId)
        let statuses = [
            try await backend.bind(unknown, to: "\(customer)/a b?c#d%e+ü").status,
            try await backend.bind(unknown, to: "\(customer)/a b?c#d%e+ü").status,
        ]
        try expect(statuses == ["bound", "unchanged"], "\(statuses)")
    }

    /// The first answer is lost: the second is the same, and nothing is signed twice.
    static func repeats(_ transport: any Transport) async throws {
        let losing = LosingTransport(transport)
        let answer = try await signer(losing).signatures(request(value("CUSTOMER")))
        let lost = try JSONDecoder().decode(Lost.self, from: await losing.lost!.body)
        try expect(lost.results == answer, "\(lost) against \(answer)")
        let sent = await losing.sent
        try expect(sent.count == 2 && Set(sent.map(\.body)).count == 1, "\(sent)")
        try expect(Set(sent.map { $0.headers["Idempotency-Key"] }).count == 1, "\(sent)")
        _ = try await signer(losing).signatures(request(value("CUSTOMER")))
        let all = await losing.sent
        try expect(all.count == 3 && all[2].headers["Idempotency-Key"] != all[1].headers["Idempotency-Key"], "\(all)")
    }

    static func fails(_ transport: any Transport) async throws {
        var unknown = request(value("CUSTOMER"))
        unknown.offers = [.init(productId: "com.example.pro.monthly", offerId: "none")]
        guard case .rejected(404, let problem) = await failure({ try await signer(transport).signatures(unknown) }) else {
            throw Wrong(said: "not rejected")
        }
        try expect(problem.code == "unknown-offer" && !problem.requestId.isEmpty, "\(problem)")
        let gone = await failure {
            try await signer(transport, at: "http://127.0.0.1:9", timeout: 1).signatures(request(value("CUSTOMER")))
        }
        try expect(gone == .unavailable(nil), "\(String(describing: gone))")
        // Time runs out at any moment of a request that fails.
        for _ in 0..<300 {
            let late = await failure {
                try await signer(transport, at: "http://127.0.0.1:9", timeout: .random(in: 0...0.004)).signatures(request("u"))
            }
            try expect(late == .unavailable(nil), "\(String(describing: late))")
        }
        let notReady = try Self.problem(of: "not-ready")
        for (status, body, expected) in [
            (503, #"{"code":"not-ready","requestId":"r"}"#, OfferSignerError.unavailable(notReady)),
            (200, "<html>", .malformedAnswer), (404, "nothing here", .malformedAnswer),
        ] {
            let answer = TransportResponse(status: status, retryAfter: "3600", body: Data(body.utf8))
            let found = await failure { try await signer(FixedTransport(answer: answer)).signatures(request("u")) }
            try expect(found == expected, "\(String(describing: found))")
        }
        // A transport that never comes back, also when it is cancelled.
        let stuck = await failure { try await signer(StuckTransport(), timeout: 0.5).signatures(request("u")) }
        try expect(stuck == .unavailable(nil), "\(String(describing: stuck))")
        let cancelled = Task { try await signer(StuckTransport(), timeout: 3600).signatures(request("u")) }
        cancelled.cancel()
        do {
            _ = try await cancelled.value
            throw Wrong(said: "not cancelled")
        } catch is CancellationError {}
        // A cancelled call ends, however long it would have waited.
        let waiting = Task {
            let busy = TransportResponse(status: 503, retryAfter: "1800", body: Data())
            return try await signer(FixedTransport(answer: busy), timeout: 3600).signatures(request("u"))
        }
        waiting.cancel()
        do {
            _ = try await waiting.value
            throw Wrong(said: "not cancelled")
        } catch is CancellationError {}
    }

    static func problem(of code: String) throws -> Problem {
        try JSONDecoder().decode(Problem.self, from: Data(#"{"code":"\#(code)","requestId":"r"}"#.utf8))
    }

    static func failure(_ call: () async throws -> some Any) async -> OfferSignerError? {
        do {
            _ = try await call()
            return nil
        } catch { return error as? OfferSignerError }
    }

    static func expect(_ condition: Bool, _ said: String) throws {
        if !condition { throw Wrong(said: said) }
    }

    struct Wrong: Error {
        let said: String
    }

    struct Lost: Decodable {
        let results: [SignatureResult]
    }
}

/// Sends each request, and loses the first answer.
actor LosingTransport: Transport {
    private let transport: any Transport
    private(set) var sent: [TransportRequest] = []
    private(set) var lost: TransportResponse?

    init(_ transport: any Transport) { self.transport = transport }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        sent.append(request)
        let response = try await transport.send(request)
        guard lost == nil else { return response }
        lost = response
        throw URLError(.networkConnectionLost)
    }
}

/// Gives every request the same answer.
struct FixedTransport: Transport {
    let answer: TransportResponse

    func send(_ request: TransportRequest) async throws -> TransportResponse { answer }
}

/// Never answers.
struct StuckTransport: Transport {
    func send(_ request: TransportRequest) async throws -> TransportResponse {
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        throw URLError(.unknown)
    }
}

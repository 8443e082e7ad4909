public import Foundation

/// Calls the service. Each call repeats its request, byte for byte, while the service cannot answer and its time lasts.
public struct OfferSigner: Sendable {
    /// Returns an access key (`osk_…`), or an end user's token. Called before each request, so that it can renew a token.
    public typealias Credential = @Sendable () async throws -> String

    private let baseURL: URL
    private let credential: Credential
    private let transport: any Transport
    private let timeout: TimeInterval
    private let requestTimeout: TimeInterval

    /// - Parameters:
    ///   - baseURL: where the service is, such as `https://offers.example.com`.
    ///   - timeout: after how many seconds a call gives up, its repetitions included. A person waits.
    ///   - requestTimeout: after how many seconds without an answer a request is repeated.
    public init(
        baseURL: URL,
        transport: any Transport = URLSessionTransport(),
        timeout: TimeInterval = 8,
        requestTimeout: TimeInterval = 4,
        credential: @escaping Credential
    ) {
        self.baseURL = baseURL
        self.credential = credential
        self.transport = transport
        self.timeout = timeout
        self.requestTimeout = requestTimeout
    }

    /// Signs promotional offers for one buy attempt: call it when the customer taps "Buy", and again for the next attempt.
    ///
    /// - Parameter idempotencyKey: names the buy attempt, where the caller repeats calls by itself. 1 to 128 visible ASCII
    ///   characters.
    /// - Returns: one result for each offer, in order.
    public func signatures(
        _ request: SignatureRequest,
        idempotencyKey: String = UUID().uuidString
    ) async throws -> [SignatureResult] {
        let answer: Results<SignatureResult> = try await call("signatures", request, idempotencyKey)
        return answer.results
    }

    /// Signs whether customers may have introductory offers, for one buy attempt; as `signatures`.
    ///
    /// - Returns: one result for each product, in order.
    public func introductoryOfferSignatures(
        _ request: IntroductoryOfferRequest,
        idempotencyKey: String = UUID().uuidString
    ) async throws -> [IntroductoryOfferResult] {
        let answer: Results<IntroductoryOfferResult> = try await call("introductory-offers/signatures", request, idempotencyKey)
        return answer.results
    }

    /// Says which offers of up to 100 products a customer may have, and why: for a paywall. Signs nothing.
    public func eligibility(_ request: EligibilityRequest) async throws -> EligibilityAnswer {
        try await call("eligibility", request)
    }

    /// Says which offers live campaigns give a customer, and records that they decided. Signs nothing.
    public func offers(_ request: OffersRequest) async throws -> OffersAnswer { try await call("offers", request) }

    /// Checks a signature in the original form, and names what is wrong with it. Stores nothing.
    public func verify(_ request: VerifyRequest) async throws -> VerifyAnswer { try await call("verify", request) }

    /// Binds a subscription to a customer, whose purchase it then is. Needs the role `backend`.
    ///
    /// If the subscription is another customer's, it throws `rejected` with the code `bound-to-another-customer`. For a customer's id
    /// that no path can have (`""`, `"."`, `".."`) it throws `URLError.badURL`.
    ///
    /// Bind only what you know to be this customer's, such as a transaction that `transactions` has verified: the service believes a
    /// backend.
    public func bind(_ request: BindingRequest, to customerId: String) async throws -> BindingAnswer {
        try await call("customers/\(Self.escaped(customerId))/transactions", request)
    }

    /// Supplies StoreKit 2 transactions, which the service verifies. Needs the role `backend`.
    public func transactions(_ request: TransactionsRequest) async throws -> HistoryReport {
        try await call("history/transactions", request)
    }

    /// Supplies a receipt. Needs the role `backend`.
    ///
    /// The service may ask the App Store about a receipt: give such a client a longer `timeout`.
    public func receipts(_ request: ReceiptRequest) async throws -> HistoryReport { try await call("history/receipts", request) }

    /// Fetches a customer's history from the App Store. Needs the role `backend`.
    ///
    /// Give such a client a longer `timeout`.
    public func refresh(_ request: RefreshRequest) async throws -> HistoryReport { try await call("history/refresh", request) }

    private struct Results<Element: Decodable>: Decodable {
        let results: [Element]
    }

    /// Returns a text as one part of a path. A `/` in it, or `..`, would name another path.
    private static func escaped(_ id: String) throws -> String {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
        guard !["", ".", ".."].contains(id),
            let escaped = id.addingPercentEncoding(withAllowedCharacters: CharacterSet(charactersIn: letters))
        else { throw URLError(.badURL) }
        return escaped
    }

    /// Returns the URL of an operation. `appendingPathComponent` would escape what is escaped.
    ///
    /// - Parameter path: with its parts escaped.
    private func url(of path: String) throws -> URL {
        var base = baseURL.absoluteString
        while base.hasSuffix("/") { base.removeLast() }
        guard let url = URL(string: "\(base)/v1/\(path)") else { throw URLError(.badURL) }
        return url
    }

    private func call<Answer: Decodable>(
        _ path: String,
        _ request: some Encodable,
        _ idempotencyKey: String? = nil
    ) async throws -> Answer {
        // Encoded once: the repetitions of a request under an idempotency key must have the same body.
        let body = try JSONEncoder().encode(request)
        let target = try url(of: path)
        let end = Date(timeIntervalSinceNow: timeout)
        var attempt = 1
        while true {
            var headers = ["Authorization": "Bearer \(try await credential())", "Content-Type": "application/json"]
            headers["Idempotency-Key"] = idempotencyKey
            let remaining = min(requestTimeout, end.timeIntervalSinceNow)
            guard remaining > 0 else { throw OfferSignerError.unavailable(nil) }
            let sent = TransportRequest(url: target, headers: headers, body: body, timeout: remaining)
            let response: TransportResponse?
            do { response = try await Self.within(remaining) { [transport] in try await transport.send(sent) } } catch {
                // The answer is lost, and a signature may exist.
                try Task.checkCancellation()
                response = nil
            }
            let problem = try response.flatMap(repeatableProblem)
            if let response, response.status == 200 {
                do { return try JSONDecoder().decode(Answer.self, from: response.body) } catch {
                    throw OfferSignerError.malformedAnswer
                }
            }
            let pause = RetryPause.seconds(after: attempt, retryAfter: response?.retryAfter)
            // Rather than keep a person waiting for an answer that cannot come in time.
            guard end.timeIntervalSinceNow > pause else { throw OfferSignerError.unavailable(problem) }
            try await Task.sleep(nanoseconds: RetryPause.nanoseconds(pause))
            attempt += 1
        }
    }

    /// Waits for an operation for this many seconds at most. A transport may limit idle time only.
    ///
    /// The operation is cancelled at the end, and not waited for, as a transport may heed no cancellation.
    private static func within<Value: Sendable>(
        _ seconds: TimeInterval,
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let (results, end) = AsyncThrowingStream<Value, any Error>.makeStream()
        let work = Task {
            do { end.yield(try await operation()) } catch { end.finish(throwing: error) }
        }
        let limit = Task {
            try await Task.sleep(nanoseconds: RetryPause.nanoseconds(seconds))
            end.finish(throwing: URLError(.timedOut))
        }
        defer {
            work.cancel()
            limit.cancel()
        }
        for try await value in results { return value }
        // The stream ends without a value only if the caller was cancelled.
        throw CancellationError()
    }

    /// Returns the problem of an answer that a repetition may improve; throws the error of any other but 200.
    private func repeatableProblem(_ response: TransportResponse) throws -> Problem? {
        guard response.status != 200 else { return nil }
        let problem = try? JSONDecoder().decode(Problem.self, from: response.body)
        if RetryPause.repeatable.contains(response.status) { return problem }
        throw problem.map { OfferSignerError.rejected(status: response.status, $0) } ?? .malformedAnswer
    }
}

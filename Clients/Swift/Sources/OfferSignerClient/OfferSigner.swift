public import Foundation

/// Calls the service. If the service cannot answer a request, the call repeats it, byte for byte, until the call's time is over.
public struct OfferSigner: Sendable {
    /// Returns an access key (`osk_…`), or the token of an end user. The client calls it before each request, so that it can
    /// renew a token that has expired.
    public typealias Credential = @Sendable () async throws -> String

    private let baseURL: URL
    private let credential: Credential
    private let transport: any Transport
    private let timeout: TimeInterval
    private let requestTimeout: TimeInterval

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - baseURL: the address of the service, such as `https://offers.example.com`.
    ///   - timeout: after how many seconds a call gives up, its repetitions included. The default is short, because a person
    ///     waits.
    ///   - requestTimeout: after how many seconds without an answer a call repeats its request.
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
    /// - Parameter idempotencyKey: names the buy attempt: 1 to 128 visible ASCII characters. Pass one only if your code itself
    ///   repeats calls; the repetition of a call must have the same key.
    /// - Returns: one result for each offer, in the order of the request.
    public func signatures(
        _ request: SignatureRequest,
        idempotencyKey: String = UUID().uuidString
    ) async throws -> [SignatureResult] {
        let answer: Results<SignatureResult> = try await call("signatures", request, idempotencyKey)
        return answer.results
    }

    /// Signs overrides of introductory offers for one buy attempt. Call it at the same moments as `signatures`.
    ///
    /// - Parameter idempotencyKey: as in `signatures`.
    /// - Returns: one result for each product, in the order of the request.
    public func introductoryOfferSignatures(
        _ request: IntroductoryOfferRequest,
        idempotencyKey: String = UUID().uuidString
    ) async throws -> [IntroductoryOfferResult] {
        let answer: Results<IntroductoryOfferResult> = try await call("introductory-offers/signatures", request, idempotencyKey)
        return answer.results
    }

    /// Says which offers of up to 100 products a customer may have, and why. A paywall uses this to decide what to show. Nothing
    /// is signed.
    public func eligibility(_ request: EligibilityRequest) async throws -> EligibilityAnswer {
        try await call("eligibility", request)
    }

    /// Says which offers the live campaigns give a customer. The service records an exposure for each campaign that takes the
    /// customer, and signs nothing.
    public func offers(_ request: OffersRequest) async throws -> OffersAnswer { try await call("offers", request) }

    /// Checks a signature in the payload form, and names what is wrong with it. The service stores nothing.
    public func verify(_ request: VerifyRequest) async throws -> VerifyAnswer { try await call("verify", request) }

    /// Binds a subscription to a customer, so that it belongs to this customer from then on. Needs an access key with the role
    /// `backend`.
    ///
    /// If the subscription belongs to another customer, the call throws `rejected` with the code `bound-to-another-customer`. If
    /// the customer's id cannot be a part of a path (`""`, `"."`, `".."`), it throws `URLError.badURL`.
    ///
    /// The service does not check whether the binding is true, because it trusts a backend. So bind only a transaction that you
    /// know to be this customer's, such as one that `transactions` has verified.
    public func bind(_ request: BindingRequest, to customerId: String) async throws -> BindingAnswer {
        try await call("customers/\(Self.escaped(customerId))/transactions", request)
    }

    /// Supplies transactions of StoreKit 2, which the service verifies and stores. Needs an access key with the role `backend`.
    public func transactions(_ request: TransactionsRequest) async throws -> HistoryReport {
        try await call("history/transactions", request)
    }

    /// Supplies a receipt, or an answer of verifyReceipt. Needs an access key with the role `backend`.
    ///
    /// The service may ask the App Store about a receipt. So make this call with an `OfferSigner` that has a longer `timeout`.
    public func receipts(_ request: ReceiptRequest) async throws -> HistoryReport { try await call("history/receipts", request) }

    /// Lets the service fetch a customer's history from the App Store. Needs an access key with the role `backend`.
    ///
    /// The answer waits for the App Store. So make this call with an `OfferSigner` that has a longer `timeout`.
    public func refresh(_ request: RefreshRequest) async throws -> HistoryReport { try await call("history/refresh", request) }

    private struct Results<Element: Decodable>: Decodable {
        let results: [Element]
    }

    /// Returns an id, escaped as one part of a path. Unescaped, an id with a `/` would name another path, and so would the id
    /// `..`.
    private static func escaped(_ id: String) throws -> String {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
        guard !["", ".", ".."].contains(id),
            let escaped = id.addingPercentEncoding(withAllowedCharacters: CharacterSet(charactersIn: letters))
        else { throw URLError(.badURL) }
        return escaped
    }

    /// Returns the URL of an operation. It does not use `appendingPathComponent`, which would escape the path a second time.
    ///
    /// - Parameter path: the path below `/v1/`, with each part already escaped.
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
                // No answer came. The service may have signed all the same, so the same request is repeated.
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
            // The pause would end after the call's time is over: give up now, so that no person waits in vain.
            guard end.timeIntervalSinceNow > pause else { throw OfferSignerError.unavailable(problem) }
            try await Task.sleep(nanoseconds: RetryPause.nanoseconds(pause))
            attempt += 1
        }
    }

    /// Waits for an operation for this many seconds at most. A transport by itself may limit only the time without any traffic.
    ///
    /// When the time is over, the operation is cancelled. This function does not wait for its end, because a transport may ignore
    /// the cancellation.
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

    /// Returns the problem in an answer if a repetition of the request may succeed, and nil for a 200. For every other answer it
    /// throws.
    private func repeatableProblem(_ response: TransportResponse) throws -> Problem? {
        guard response.status != 200 else { return nil }
        let problem = try? JSONDecoder().decode(Problem.self, from: response.body)
        if RetryPause.repeatable.contains(response.status) { return problem }
        throw problem.map { OfferSignerError.rejected(status: response.status, $0) } ?? .malformedAnswer
    }
}

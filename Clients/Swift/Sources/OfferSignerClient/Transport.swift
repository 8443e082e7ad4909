public import Foundation

/// Sends the HTTP requests of `OfferSigner`. Apps use `URLSessionTransport`; servers can use `AsyncHTTPTransport`.
public protocol Transport: Sendable {
    /// Sends a request once. Returns the answer whatever its status is, and follows no redirect. Throws if no answer comes within
    /// the request's time.
    func send(_ request: TransportRequest) async throws -> TransportResponse
}

/// A POST request with a body in JSON.
public struct TransportRequest: Equatable, Sendable {
    /// The address to which the request is sent.
    public let url: URL
    /// The headers by name, `Authorization` included.
    public let headers: [String: String]
    /// The body. Each repetition of a request has exactly the same bytes.
    public let body: Data
    /// How many seconds the transport waits for the whole answer.
    public let timeout: TimeInterval

    /// Makes a request, for example to test a transport of your own.
    public init(url: URL, headers: [String: String], body: Data, timeout: TimeInterval) {
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}

/// The answer to a `TransportRequest`.
public struct TransportResponse: Equatable, Sendable {
    /// The HTTP status, such as 200.
    public let status: Int
    /// The value of the header `Retry-After`; nil if the answer does not have it.
    public let retryAfter: String?
    /// The whole body, whatever the status is.
    public let body: Data

    /// Makes the answer that a transport returns.
    public init(status: Int, retryAfter: String?, body: Data) {
        self.status = status
        self.retryAfter = retryAfter
        self.body = body
    }
}

public import Foundation

/// Sends one HTTP request. `URLSessionTransport` is the usual one.
public protocol Transport: Sendable {
    /// Returns the answer of any status, without following redirects. Throws if there is none within the request's time.
    func send(_ request: TransportRequest) async throws -> TransportResponse
}

/// A POST request with a body in JSON.
public struct TransportRequest: Equatable, Sendable {
    /// Where to.
    public let url: URL
    /// The headers.
    public let headers: [String: String]
    /// The body, the same bytes for each repetition.
    public let body: Data
    /// How long to wait for the whole answer, in seconds.
    public let timeout: TimeInterval

    /// Takes the values as they are.
    public init(url: URL, headers: [String: String], body: Data, timeout: TimeInterval) {
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}

/// An answer.
public struct TransportResponse: Equatable, Sendable {
    /// The HTTP status.
    public let status: Int
    /// The value of the header `Retry-After`; nil without it.
    public let retryAfter: String?
    /// The whole body.
    public let body: Data

    /// Takes the values as they are.
    public init(status: Int, retryAfter: String?, body: Data) {
        self.status = status
        self.retryAfter = retryAfter
        self.body = body
    }
}

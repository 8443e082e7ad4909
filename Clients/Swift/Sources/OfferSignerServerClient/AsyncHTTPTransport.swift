public import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
public import OfferSignerClient

/// Sends requests with AsyncHTTPClient, for servers.
public struct AsyncHTTPTransport: Transport {
    private static let maxBytes = 8 << 20
    private let client: HTTPClient

    /// Makes a transport that sends its requests with a client of yours.
    ///
    /// - Parameter client: a client that follows no redirects, because a redirect could send the access key to another server. Do
    ///   not pass `HTTPClient.shared`, which follows redirects.
    public init(_ client: HTTPClient) { self.client = client }

    /// Sends one request. Throws if the answer is larger than 8 MiB.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        var sent = HTTPClientRequest(url: request.url.absoluteString)
        sent.method = .POST
        for (name, value) in request.headers { sent.headers.replaceOrAdd(name: name, value: value) }
        sent.body = .bytes(ByteBuffer(bytes: request.body))
        let response = try await client.execute(sent, timeout: .milliseconds(Int64(min(request.timeout, 86_400) * 1000)))
        let body = try await response.body.collect(upTo: Self.maxBytes)
        return TransportResponse(
            status: Int(response.status.code), retryAfter: response.headers.first(name: "Retry-After"),
            body: Data(body.readableBytesView))
    }
}

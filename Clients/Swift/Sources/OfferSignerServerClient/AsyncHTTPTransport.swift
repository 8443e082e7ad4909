public import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
public import OfferSignerClient

/// Sends requests with AsyncHTTPClient, for servers.
public struct AsyncHTTPTransport: Transport {
    private static let maxBytes = 8 << 20
    private let client: HTTPClient

    /// - Parameter client: one that follows no redirects. `HTTPClient.shared` follows them within its limits.
    public init(_ client: HTTPClient) { self.client = client }

    /// Sends one request.
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

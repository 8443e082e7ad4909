import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Sends requests with a `URLSession`.
public final class URLSessionTransport: Transport {
    private let session: URLSession

    /// - Parameter configuration: of the session; default: no cookies, no cache.
    public init(configuration: URLSessionConfiguration = .ephemeral) {
        session = URLSession(configuration: configuration, delegate: Redirects(), delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// Sends one request. On Linux it ends with its answer or its time limit, and not when the caller is cancelled.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        var sent = URLRequest(url: request.url, timeoutInterval: request.timeout)
        sent.httpMethod = "POST"
        sent.httpBody = request.body
        for (name, value) in request.headers { sent.setValue(value, forHTTPHeaderField: name) }
        let (body, response) = try await data(for: sent)
        guard let http = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        return TransportResponse(
            status: http.statusCode, retryAfter: http.value(forHTTPHeaderField: "Retry-After"), body: body)
    }

    private func data(for request: URLRequest) async throws -> (Data, URLResponse) {
        #if canImport(FoundationNetworking)
            // A cancellation that meets the end of the request can block both for ever: it waits for the session's queue with the lock
            // that the end needs. So this task is never cancelled.
            return try await Task { [session] in try await session.data(for: request) }.value
        #else
            return try await session.data(for: request)
        #endif
    }
}

/// Follows no redirect: the credential is for this service only.
private final class Redirects: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) { completionHandler(nil) }
}

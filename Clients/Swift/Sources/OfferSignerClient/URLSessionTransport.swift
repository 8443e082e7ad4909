import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Sends requests with a `URLSession`.
public final class URLSessionTransport: Transport {
    private let session: URLSession

    /// Makes a transport with a session of its own.
    ///
    /// - Parameter configuration: the configuration of the session. The default stores no cookies and no answers on the device.
    public init(configuration: URLSessionConfiguration = .ephemeral) {
        session = URLSession(configuration: configuration, delegate: Redirects(), delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// Sends one request. On Linux the request goes on if the caller's task is cancelled, until its answer comes or its time is
    /// over.
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
            // If a request ends at the moment of its cancellation, both can block for ever: the cancellation holds a lock that
            // the end needs, and waits for the session's queue, on which the end runs. So this task is never cancelled.
            return try await Task { [session] in try await session.data(for: request) }.value
        #else
            return try await session.data(for: request)
        #endif
    }
}

/// Keeps the session from following redirects, because a redirect could send the credential to another server.
private final class Redirects: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) { completionHandler(nil) }
}

package import AppStore
import NIOHTTP1

/// Sends requests to the App Store over HTTP, and limits the time and the size of responses.
package struct HTTPClientTransport: AppStoreTransport {
    private let timeout: Duration
    private let bodyLimit: Int

    /// - Parameters:
    ///   - timeout: how long a request may take, until its response is complete.
    ///   - bodyLimit: the longest body of a response, in bytes. The answer of verifyReceipt has some 2 KB for each transaction of
    ///     a receipt.
    package init(timeout: Duration = .seconds(10), bodyLimit: Int = 64 << 20) {
        self.timeout = timeout
        self.bodyLimit = bodyLimit
    }

    package func send(_ request: AppStoreRequest) async throws(AppStoreError) -> AppStoreResponse {
        do {
            let response = try await HTTPClient.shared.send(HTTPClientRequest(request), within: timeout, upTo: bodyLimit)
            return AppStoreResponse(
                status: response.status, retryAfter: response.headers.first(name: "Retry-After"),
                date: response.headers.first(name: "Date"), body: response.body)
        } catch {
            throw AppStoreError(AppStoreError.Code(error.code), "the App Store: \(error.detail)")
        }
    }
}

extension HTTPClientRequest {
    fileprivate init(_ request: AppStoreRequest) {
        var headers: HTTPHeaders = ["Accept": "application/json"]
        if let token = request.token { headers.add(name: "Authorization", value: "Bearer \(token)") }
        if let content = request.content { headers.add(name: "Content-Type", value: content.type) }
        self.init(HTTPMethod(request.method), request.url, headers: headers, body: request.content?.bytes)
    }
}

extension HTTPMethod {
    fileprivate init(_ method: AppStoreRequest.Method) {
        self =
            switch method {
            case .get: .GET
            case .post: .POST
            case .put: .PUT
            case .delete: .DELETE
            }
    }
}

extension AppStoreError.Code {
    fileprivate init(_ code: HTTPClientError.Code) {
        self =
            switch code {
            case .unreachable, .addressRefused: .unreachable
            case .timedOut: .timedOut
            case .tooLong: .malformedAnswer
            case .cancelled: .cancelled
            }
    }
}

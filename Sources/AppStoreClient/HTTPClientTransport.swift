package import AppStore
package import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Sends requests to the App Store over HTTP, within a time and a size.
package struct HTTPClientTransport: AppStoreTransport {
    private let client: HTTPClient
    private let timeout: Duration
    private let bodyLimit: Int

    /// - Parameters:
    ///   - client: shut down by its owner; should follow no redirects and not repeat connecting by itself.
    ///   - timeout: until the answer begins; until its end a quarter more.
    ///   - bodyLimit: bytes of an answer.
    package init(client: HTTPClient, timeout: Duration = .seconds(10), bodyLimit: Int = 16 << 20) {
        self.client = client
        self.timeout = timeout
        self.bodyLimit = bodyLimit
    }

    package func send(_ request: AppStoreRequest) async throws(AppStoreError) -> AppStoreResponse {
        do {
            // The client's own deadline ends with the head of the response. Before that it knows better what went wrong.
            return try await withThrowingTaskGroup(of: AppStoreResponse.self) { group in
                defer { group.cancelAll() }
                group.addTask { try await exchange(request) }
                group.addTask {
                    try await Task.sleep(for: timeout * 5 / 4)
                    throw AppStoreError(.timedOut, "the App Store did not finish its response in time")
                }
                return try await group.next()!
            }
        } catch let error as AppStoreError {
            throw error
        } catch is NIOTooManyBytesError {
            throw AppStoreError(.malformedAnswer, "the App Store's response is longer than \(bodyLimit) bytes")
        } catch {
            if Task.isCancelled { throw AppStoreError(.cancelled, "the caller gave up before the App Store answered") }
            throw HTTPClientTransport.failure(error)
        }
    }

    private func exchange(_ request: AppStoreRequest) async throws -> AppStoreResponse {
        var outgoing = HTTPClientRequest(url: request.url)
        outgoing.headers.add(name: "Accept", value: "application/json")
        outgoing.headers.add(name: "User-Agent", value: "OfferSigner")
        if let token = request.token { outgoing.headers.add(name: "Authorization", value: "Bearer \(token)") }
        outgoing.method = HTTPMethod(request.method)
        if let content = request.content {
            outgoing.headers.add(name: "Content-Type", value: content.type)
            outgoing.body = .bytes(ByteBuffer(bytes: content.bytes))
        }
        let response = try await client.execute(outgoing, timeout: TimeAmount(timeout))
        let body = try await response.body.collect(upTo: bodyLimit)
        return AppStoreResponse(
            status: Int(response.status.code),
            retryAfter: response.headers.first(name: "Retry-After"),
            date: response.headers.first(name: "Date"),
            body: Array(body.readableBytesView)
        )
    }

    /// Only the client's own short words get into the detail: others could quote an address.
    private static func failure(_ error: any Error) -> AppStoreError {
        guard let error = error as? HTTPClientError else {
            return AppStoreError(.unreachable, "no connection to the App Store (\(type(of: error)))")
        }
        let timeouts: [HTTPClientError] = [
            .deadlineExceeded, .readTimeout, .writeTimeout, .connectTimeout, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout,
        ]
        return AppStoreError(timeouts.contains(error) ? .timedOut : .unreachable, error.shortDescription)
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

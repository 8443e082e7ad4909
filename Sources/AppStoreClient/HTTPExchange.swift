import NIOCore
import NIOHTTP1

/// A request in flight, and the promise of its response.
struct HTTPExchange: Sendable {
    let head: HTTPRequestHead
    let body: ByteBuffer?
    /// The most bytes of the response's body.
    let bodyLimit: Int
    /// Whether a longer body is cut.
    let cutsBody: Bool
    let response: EventLoopPromise<HTTPClientResponse>

    init(
        _ request: HTTPClientRequest,
        to target: HTTPTarget,
        upTo bodyLimit: Int,
        cutsBody: Bool,
        response: EventLoopPromise<HTTPClientResponse>
    ) {
        var headers: HTTPHeaders = ["Host": target.authority, "User-Agent": "OfferSigner"]
        headers.add(contentsOf: request.headers)
        if let body = request.body { headers.add(name: "Content-Length", value: "\(body.count)") }
        head = HTTPRequestHead(version: .http1_1, method: request.method, uri: target.path, headers: headers)
        body = request.body.map { ByteBuffer(bytes: $0) }
        self.bodyLimit = bodyLimit
        self.cutsBody = cutsBody
        self.response = response
    }
}

import NIOCore
import NIOHTTP1

/// The last handler of a client's connection. It sends one request at a time, and completes the promise of that request's
/// response.
final class HTTPExchangeHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = HTTPExchange
    typealias OutboundOut = HTTPClientRequestPart

    private var exchange: HTTPExchange?
    private var head: HTTPResponseHead?
    private var body = ByteBuffer()

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let exchange = unwrapOutboundIn(data)
        (self.exchange, head) = (exchange, nil)
        body.clear()
        context.write(wrapOutboundOut(.head(exchange.head)), promise: nil)
        if let body = exchange.body { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
        context.write(wrapOutboundOut(.end(nil)), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // No request is under way, so the server has sent this data unasked. It must not become the response to the next request.
        guard let exchange else { return context.close(promise: nil) }
        switch unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body(let part) where body.readableBytes + part.readableBytes > exchange.bodyLimit:
            if exchange.cutsBody, let head {
                end(with: .success(HTTPClientResponse(head, body: body, isCut: true)))
                return context.close(promise: nil)
            }
            end(with: .failure(HTTPClientError(.tooLong, "the response is longer than \(exchange.bodyLimit) bytes")))
        case .body(var part): body.writeBuffer(&part)
        case .end: if let head { end(with: .success(HTTPClientResponse(head, body: body))) }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(with: .failure(error))
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(with: .failure(HTTPClientError(.unreachable, "the connection ended before the response did")))
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // A connection with a request under way is not closed here, because the request has a deadline of its own.
        if event is IdleStateHandler.IdleStateEvent, exchange == nil { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    private func end(with result: Result<HTTPClientResponse, any Error>) {
        exchange?.response.completeWith(result)
        exchange = nil
    }
}

/// A request that is under way, and the promise of its response.
struct HTTPExchange: Sendable {
    let head: HTTPRequestHead
    let body: ByteBuffer?
    /// The longest body of the response, in bytes.
    let bodyLimit: Int
    /// Whether a longer body is cut off. If not, a longer body is an error.
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

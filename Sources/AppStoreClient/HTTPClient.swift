package import NIOCore
package import NIOHTTP1
import NIOPosix
package import NIOSSL
import Synchronization

/// Sends HTTP/1.1 requests. A connection carries one request at a time, and is kept for later requests.
///
/// It follows no redirects and repeats no requests: its callers decide about both.
package final class HTTPClient: Sendable {
    /// The client that the whole process shares.
    package static let shared = HTTPClient()

    private static let connectTimeout = TimeAmount.seconds(5)
    private let idleTimeout: TimeAmount
    private let accepts: (@Sendable (SocketAddress) -> Bool)?
    private let tls: Result<NIOSSLContext, any Error>
    /// The idle connections, by origin.
    private let idle = Mutex<[HTTPOrigin: [any Channel]]>([:])

    /// - Parameters:
    ///   - trustRoots: the root certificates that are trusted for servers; by default those of the operating system.
    ///   - idleTimeout: how long an idle connection is kept.
    ///   - accepts: returns whether the client may connect to an address to which a host's name resolves; nil permits every
    ///     address.
    package init(
        trustRoots: NIOSSLTrustRoots = .default,
        idleTimeout: TimeAmount = .seconds(30),
        accepts: (@Sendable (SocketAddress) -> Bool)? = nil
    ) {
        self.idleTimeout = idleTimeout
        self.accepts = accepts
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = trustRoots
        tls = Result { [configuration] in try NIOSSLContext(configuration: configuration) }
    }

    /// Sends a request and collects its response.
    ///
    /// - Parameters:
    ///   - timeout: how long the whole exchange may take, until the response is complete.
    ///   - bodyLimit: the longest body of a response, in bytes.
    ///   - cutsBody: whether a longer body is cut off. If not, a longer body is an error.
    package func send(
        _ request: HTTPClientRequest,
        within timeout: Duration,
        upTo bodyLimit: Int,
        cutsBody: Bool = false
    ) async throws(HTTPClientError) -> HTTPClientResponse {
        guard let target = HTTPTarget(request.url) else { throw HTTPClientError(.unreachable, "not an http or https URL") }
        let kept = take(target.origin)
        let loop = kept?.eventLoop ?? MultiThreadedEventLoopGroup.singleton.any()
        let exchange = HTTPExchange(
            request, to: target, upTo: bodyLimit, cutsBody: cutsBody, response: loop.makePromise())
        let response = exchange.response
        let deadline = loop.scheduleTask(in: TimeAmount(timeout)) {
            response.fail(HTTPClientError(.timedOut, "no complete response in time"))
        }
        let connection = kept.map(loop.makeSucceededFuture) ?? connect(to: target.origin, on: loop)
        connection.flatMap { $0.writeAndFlush(exchange) }.cascadeFailure(to: response)
        // The connection is released before the caller receives the response, so that the caller's next request can use it.
        let answered = response.futureResult.always { result in
            connection.whenSuccess { self.release($0, of: target.origin, after: result) }
        }
        defer { deadline.cancel() }
        do {
            return try await withTaskCancellationHandler {
                try await answered.get()
            } onCancel: {
                response.fail(HTTPClientError(.cancelled, "the caller gave up"))
            }
        } catch {
            throw HTTPClientError(error)
        }
    }

    private func release(
        _ channel: any Channel,
        of origin: HTTPOrigin,
        after result: Result<HTTPClientResponse, any Error>
    ) {
        guard case .success(let response) = result, response.keepsConnection else { return channel.close(promise: nil) }
        idle.withLock { idle in
            idle[origin, default: []].removeAll { !$0.isActive }
            idle[origin]!.append(channel)
        }
    }

    private func connect(to origin: HTTPOrigin, on loop: any EventLoop) -> EventLoopFuture<any Channel> {
        ClientBootstrap(group: loop)
            .connectTimeout(Self.connectTimeout)
            .channelInitializer { [tls, idleTimeout, accepts] channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let accepts { try pipeline.addHandler(AddressGuard(accepts: accepts)) }
                    if origin.isSecure {
                        try pipeline.addHandler(
                            NIOSSLClientHandler(context: tls.get(), serverHostname: origin.isAddress ? nil : origin.host))
                    }
                    try pipeline.addHTTPClientHandlers()
                    try pipeline.addHandlers([IdleStateHandler(allTimeout: idleTimeout), HTTPExchangeHandler()])
                }
            }
            .connect(host: origin.host, port: origin.port)
    }

    private func take(_ origin: HTTPOrigin) -> (any Channel)? {
        idle.withLock { idle in
            while let channel = idle[origin]?.popLast() { if channel.isActive { return channel } }
            return nil
        }
    }
}

/// The destination of a connection: scheme, host and port (RFC 6454).
struct HTTPOrigin: Hashable {
    let isSecure: Bool
    /// The name or the IP address of the host. An IPv6 address is written without brackets.
    let host: String
    let port: Int

    /// Whether the host is an address rather than a name.
    var isAddress: Bool { (try? SocketAddress(ipAddress: host, port: port)) != nil }
}

/// A server's response, with its whole body or, if that was too long, only the beginning of it.
package struct HTTPClientResponse: Sendable {
    package let status: Int
    package let headers: HTTPHeaders
    package let body: [UInt8]
    /// Whether the server accepts another request on the same connection.
    let keepsConnection: Bool

    init(_ head: HTTPResponseHead, body: ByteBuffer, isCut: Bool = false) {
        status = Int(head.status.code)
        headers = head.headers
        self.body = Array(buffer: body)
        keepsConnection = head.isKeepAlive && !isCut
    }
}

/// Refuses connections to addresses that the client may not connect to.
///
/// It checks the address of the connection itself, not the name of the host. A name that resolves to a permitted address first
/// and to another one a moment later therefore does not get around the check.
final class AddressGuard: ChannelOutboundHandler {
    typealias OutboundIn = Any

    private let accepts: @Sendable (SocketAddress) -> Bool

    init(accepts: @escaping @Sendable (SocketAddress) -> Bool) { self.accepts = accepts }

    func connect(context: ChannelHandlerContext, to address: SocketAddress, promise: EventLoopPromise<Void>?) {
        guard accepts(address) else {
            promise?.fail(HTTPClientError(.addressRefused, "the host's address is private, and not allowed"))
            return
        }
        context.connect(to: address, promise: promise)
    }
}

/// A request of an HTTP client.
package struct HTTPClientRequest: Sendable {
    package let method: HTTPMethod
    /// The absolute URL, http or https.
    package let url: String
    /// The headers, without Host, User-Agent and Content-Length, which the client adds.
    package let headers: HTTPHeaders
    /// The body; nil for none.
    package let body: [UInt8]?

    package init(_ method: HTTPMethod, _ url: String, headers: HTTPHeaders, body: [UInt8]? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

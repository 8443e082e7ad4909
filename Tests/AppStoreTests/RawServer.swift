import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A server that sends the same bytes to each request, however wrong they are.
final class RawServer: Sendable {
    /// How often a client connected.
    var connectionCount: Int { connections.withLock { $0.all } }
    /// How many connections are open.
    var openCount: Int { connections.withLock { $0.open } }
    private let connections = Mutex((all: 0, open: 0))
    private let reply: String
    private let closes: Bool

    private init(_ reply: String, closes: Bool) {
        self.reply = reply
        self.closes = closes
    }

    /// Runs a test against a server on a free port of 127.0.0.1.
    ///
    /// - Parameter closes: whether it closes a connection after its reply.
    static func serve(
        _ reply: String,
        closes: Bool = false,
        tls: NIOSSLContext? = nil,
        _ body: (_ server: RawServer, _ port: Int) async throws -> Void
    ) async throws {
        let server = RawServer(reply, closes: closes)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    server.connections.withLock { $0 = ($0.all + 1, $0.open + 1) }
                    if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                    try channel.pipeline.syncOperations.addHandler(Handler(server))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        defer { channel.close(promise: nil) }
        try await body(server, channel.localAddress!.port!)
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let server: RawServer

        init(_ server: RawServer) { self.server = server }

        /// The requests of the tests are short: they come in one piece.
        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: server.reply)), promise: nil)
            if server.closes { context.close(promise: nil) }
        }

        func channelInactive(context: ChannelHandlerContext) { server.connections.withLock { $0.open -= 1 } }
    }
}

import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A host of the App Store on this machine, whose answers a test writes.
final class AppStoreStub: Sendable {
    /// What a client sent.
    struct Request: Sendable {
        let method: String
        let uri: String
        let headers: [String: String]
        let body: String
    }

    /// What it gets.
    struct Reply: Sendable {
        var status = 200
        var headers: [String: String] = [:]
        var body = ""
        /// The head is sent, the rest never.
        var isCutShort = false

        /// No answer at all.
        static let silence = Reply(status: 0)

        static func json(_ body: String) -> Reply { Reply(body: body) }

        static func error(_ status: Int, _ code: Int64) -> Reply {
            Reply(status: status, body: #"{"errorCode":\#(code),"errorMessage":"no"}"#)
        }
    }

    let baseURL: String
    private let channel: any Channel
    private let log: Mutex<[Request]>

    /// All requests so far.
    var requests: [Request] { log.withLock { $0 } }

    private init(_ channel: any Channel, _ handler: Handler.Shared) {
        self.channel = channel
        baseURL = "http://127.0.0.1:\(channel.localAddress!.port!)"
        log = Mutex([])
        handler.stub.withLock { $0 = self }
    }

    /// Runs a test against two hosts, production and sandbox.
    ///
    /// - Parameter replies: the n-th answer for the n-th request, the last one for all further ones.
    @discardableResult
    static func serve<Value>(
        _ production: [Reply],
        _ sandbox: [Reply] = [Reply(status: 599)],
        _ body: (_ production: AppStoreStub, _ sandbox: AppStoreStub) async throws -> Value
    ) async throws -> Value {
        let (first, second) = (try await start(production), try await start(sandbox))
        do {
            let value = try await body(first, second)
            try await first.channel.close()
            try await second.channel.close()
            return value
        } catch {
            try? await first.channel.close()
            try? await second.channel.close()
            throw error
        }
    }

    private static func start(_ replies: [Reply]) async throws -> AppStoreStub {
        let shared = Handler.Shared(replies)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(shared))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return AppStoreStub(channel, shared)
    }

    private func reply(to request: Request, from replies: [Reply]) -> Reply {
        log.withLock { log in
            log.append(request)
            return replies[min(log.count, replies.count) - 1]
        }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        final class Shared: Sendable {
            let replies: [Reply]
            let stub = Mutex<AppStoreStub?>(nil)

            init(_ replies: [Reply]) { self.replies = replies }
        }

        private let shared: Shared
        private var head: HTTPRequestHead?
        private var body = ""

        init(_ shared: Shared) { self.shared = shared }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): (self.head, body) = (head, "")
            case .body(let buffer): body += String(buffer: buffer)
            case .end: answer(context)
            }
        }

        private func answer(_ context: ChannelHandlerContext) {
            guard let head, let stub = shared.stub.withLock({ $0 }) else { return }
            let headers = Dictionary(head.headers.map { ($0.name.lowercased(), $0.value) }) { first, _ in first }
            let request = Request(method: head.method.rawValue, uri: head.uri, headers: headers, body: body)
            let reply = stub.reply(to: request, from: shared.replies)
            guard reply.status > 0 else { return }
            var answer = HTTPResponseHead(version: .http1_1, status: HTTPResponseStatus(statusCode: reply.status))
            for (name, value) in reply.headers { answer.headers.add(name: name, value: value) }
            answer.headers.add(name: "Content-Length", value: "\(reply.body.utf8.count)")
            context.write(wrapOutboundOut(.head(answer)), promise: nil)
            guard !reply.isCutShort else { return context.flush() }
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: reply.body)))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
}

import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A host of the App Store on this machine, whose answers a test writes.
package final class AppStoreStub: Sendable {
    /// What to answer to a request; they are counted from 1.
    package typealias Answer = @Sendable (_ request: Request, _ number: Int) -> Reply

    /// What a client sent.
    package struct Request: Sendable {
        package let method: String
        package let uri: String
        package let headers: [String: String]
        package let body: String
    }

    /// What it gets.
    package struct Reply: Sendable {
        package var status: Int
        package var headers: [String: String]
        package var body: String
        /// The head is sent, the rest never.
        package var isCutShort: Bool

        package init(status: Int = 200, headers: [String: String] = [:], body: String = "", isCutShort: Bool = false) {
            self.status = status
            self.headers = headers
            self.body = body
            self.isCutShort = isCutShort
        }

        /// No answer at all.
        package static let silence = Reply(status: 0)

        package static func json(_ body: String) -> Reply { Reply(body: body) }

        package static func error(_ status: Int, _ code: Int64) -> Reply {
            Reply(status: status, body: #"{"errorCode":\#(code),"errorMessage":"no"}"#)
        }
    }

    package let baseURL: String
    private let channel: any Channel
    private let log: Mutex<[Request]>

    /// All requests so far.
    package var requests: [Request] { log.withLock { $0 } }

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
    package static func serve<Value>(
        _ production: [Reply],
        _ sandbox: [Reply] = [Reply(status: 599)],
        _ body: (_ production: AppStoreStub, _ sandbox: AppStoreStub) async throws -> Value
    ) async throws -> Value {
        try await serve {
            production[min($1, production.count) - 1]
        } sandbox: {
            sandbox[min($1, sandbox.count) - 1]
        } body: {
            try await body($0, $1)
        }
    }

    /// Runs a test against two hosts, production and sandbox, that answer as the test says.
    @discardableResult
    package static func serve<Value>(
        production: @escaping Answer,
        sandbox: @escaping Answer,
        body: (_ production: AppStoreStub, _ sandbox: AppStoreStub) async throws -> Value
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

    private static func start(_ answer: @escaping Answer) async throws -> AppStoreStub {
        let shared = Handler.Shared(answer)
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

    private func reply(to request: Request, _ answer: Answer) -> Reply {
        let number = log.withLock { log in
            log.append(request)
            return log.count
        }
        return answer(request, number)
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        final class Shared: Sendable {
            let answer: Answer
            let stub = Mutex<AppStoreStub?>(nil)

            init(_ answer: @escaping Answer) { self.answer = answer }
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
            let reply = stub.reply(to: request, shared.answer)
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

import NIOCore
import NIOHTTP1

/// Answers the API's operations right where the bytes come in: on the connection's event loop, with no task and no hop.
///
/// Requests for other paths go on to Hummingbird. One request is worked on at a time; what a client sends ahead waits here.
final class EndpointHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    // Parts that a client may send ahead before we stop reading.
    private static let mostWaiting = 64

    let service: EndpointService
    let lane: StoreLane
    let idleTimeout: TimeAmount
    var state = ConnectionState.idle
    /// What came in and was not worked on yet.
    var waiting = CircularBuffer<HTTPServerRequestPart>()
    /// Whether no more requests are wanted, or will come.
    var isQuiescing = false
    /// Whether something came that is no HTTP.
    var isBroken = false
    /// Whether the connection goes on behind a request that was passed on.
    var isPassedOnKeptAlive = true
    var lastRequest = NIODeadline.now()
    var idleCheck: Scheduled<Void>?
    /// The encoder's place in the pipeline: writing from there leaves our finished bytes as they are.
    private(set) var encoder: ChannelHandlerContext?
    private var isWorking = false
    private var isReceiving = false
    private var isReadHeld = false

    init(service: EndpointService, lane: StoreLane, idleTimeout: TimeAmount) {
        self.service = service
        self.lane = lane
        self.idleTimeout = idleTimeout
    }

    func handlerAdded(context: ChannelHandlerContext) {
        encoder = try? context.pipeline.syncOperations.context(handlerType: HTTPResponseEncoder.self)
        scheduleIdleCheck(in: idleTimeout, context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        encoder = nil
        idleCheck?.cancel()
        idleCheck = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isReceiving = true
        if case .closed = state { return }
        waiting.append(unwrapInboundIn(data))
        work(context)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReceiving = false
        context.fireChannelReadComplete()
    }

    /// Works through what has come in, until a request has to wait for the answer to the one before it.
    func work(_ context: ChannelHandlerContext) {
        guard !isWorking else { return }
        isWorking = true
        while state.takesMore, context.channel.isWritable, let part = waiting.popFirst() {
            switch part {
            case .head(let head): receive(head, context)
            case .body(let bytes): receive(bytes, context)
            case .end(let trailers): receiveEnd(trailers, context)
            }
        }
        isWorking = false
        // Hummingbird's end looks at what it got only when it hears that this was all for now.
        if case .passing = state, !isReceiving { context.fireChannelReadComplete() }
        if isBroken, waiting.isEmpty { return settleBroken(context) }
        if isReadHeld, mayRead(context) {
            isReadHeld = false
            context.read()
        }
    }

    /// A client that sends ahead or does not read its answers is not read from.
    private func mayRead(_ context: ChannelHandlerContext) -> Bool {
        waiting.count < EndpointHandler.mostWaiting && context.channel.isWritable
    }

    func read(context: ChannelHandlerContext) {
        if mayRead(context) { context.read() } else { isReadHeld = true }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { work(context) }
        context.fireChannelWritabilityChanged()
    }

    private func receive(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        lastRequest = .now()
        let fields = RequestHead(head)
        guard fields.namesHost(head.version) else { return answerBrokenBytes(context) }
        guard let match = service.endpoint(head.uri) else {
            state = .passing(requestEnded: false, answerEnded: false)
            isPassedOnKeptAlive = head.isKeepAlive && head.method != .CONNECT && !fields.asksForUpgrade
            return context.fireChannelRead(wrapInboundOut(.head(head)))
        }
        let request = IncomingRequest(head: head, fields: fields, match: match, start: lastRequest)
        if request.isTooLarge { return refuse(request) }
        state = .reading(request)
        if fields.expectsContinue {
            encoder?.writeAndFlush(NIOAny(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")), promise: nil)
        }
    }

    private func receive(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        switch state {
        case .passing: context.fireChannelRead(wrapInboundOut(.body(bytes)))
        case .reading(let request):
            request.append(bytes)
            if request.isTooLarge { refuse(request) }
        case .discarding(let left):
            state = .discarding(left: left - bytes.readableBytes)
            if left < bytes.readableBytes { close(context) }
        case .idle, .answering, .closed: break
        }
    }

    private func receiveEnd(_ trailers: HTTPHeaders?, _ context: ChannelHandlerContext) {
        switch state {
        case .passing(_, let answerEnded):
            state = .passing(requestEnded: true, answerEnded: answerEnded)
            context.fireChannelRead(wrapInboundOut(.end(trailers)))
            settlePassing(context)
        case .reading(let request):
            state = .answering
            perform(request, context)
        case .discarding: close(context)
        case .idle, .answering, .closed: break
        }
    }
}

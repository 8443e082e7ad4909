import NIOCore
import NIOHTTP1
import OfferService

/// Answers the API's operations right where the bytes come in: on the connection's event loop, with no task and no hop.
///
/// Requests for other paths go on to Hummingbird. One request is worked on at a time; what a client sends ahead waits here.
final class EndpointHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    // What a client may send ahead before we stop reading: parts, and bytes of bodies.
    private static let maxPending = 64
    private static let maxPendingBytes = 16 * 1024
    // A client that half-closes is read to its end by NIO, whether we want to or not: beyond this what it sent is let go.
    private static let maxKeptBytes = 256 * 1024
    private static let maxKept = 4096

    let service: EndpointService
    let lane: StoreLane
    let idleTimeout: TimeAmount
    var state = ConnectionState.idle
    /// What came in and was not worked on yet.
    var pending = CircularBuffer<HTTPServerRequestPart>()
    private var pendingBytes = 0
    /// Bytes of the current request that were read and thrown away.
    private var discarded = 0
    /// How many more bytes of a body go to whom the request was passed on to.
    private var wanted = 0
    /// How many went there.
    private var passed = 0
    /// Room for that body, until it is answered; nil where none is wanted.
    var share: BodyShare?
    /// The body of the request that is passed on, which goes there as zeros; nil for one that is no secret.
    var secret: [SecretBytes]?
    /// Whether no more of the current request is to be read, only to be thrown away.
    private(set) var isOverflowing = false
    /// Whether no more requests are wanted, or will come.
    var isQuiescing = false
    /// Whether the client has ended its side of the connection.
    var isClientGone = false
    /// Gives up the request that is passed on, once it has; nil where that is answered in any case.
    var giveUp: (() -> Void)?
    /// Whether nobody answers what would be passed on.
    var isAbandoned = false
    /// Whether something came that is no HTTP.
    var isBroken = false
    /// Whether the connection goes on behind a request that was passed on.
    var isPassedOnKeptAlive = true
    var lastRequest = NIODeadline.now()
    /// When the client had last taken enough of what was written for more to be written.
    private(set) var lastRead = NIODeadline.now()
    var idleCheck: Scheduled<Void>?
    /// The encoder's place in the pipeline: writing from there leaves our finished bytes as they are.
    private(set) var encoder: ChannelHandlerContext?
    /// The peer's; nil for one that has gone already.
    private var address: String?
    private var isWorking = false
    private var isReceiving = false
    private var isReadHeld = false

    init(service: EndpointService, lane: StoreLane, idleTimeout: TimeAmount) {
        self.service = service
        self.lane = lane
        self.idleTimeout = idleTimeout
    }

    func handlerAdded(context: ChannelHandlerContext) {
        address = context.remoteAddress?.ipAddress
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
        if isBroken { return }
        let part = unwrapInboundIn(data)
        if case .body(let bytes) = part { pendingBytes += bytes.readableBytes }
        pending.append(part)
        work(context)
        if pending.count > EndpointHandler.maxKept || pendingBytes > EndpointHandler.maxKeptBytes { isBroken = true }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReceiving = false
        context.fireChannelReadComplete()
    }

    /// Works through what has come in, until a request has to wait for the answer to the one before it.
    func work(_ context: ChannelHandlerContext) {
        guard !isWorking else { return }
        isWorking = true
        while state.takesMore, context.channel.isWritable, let part = pending.popFirst() {
            switch part {
            case .head(let head): receive(head, context)
            case .body(let bytes):
                pendingBytes -= bytes.readableBytes
                receive(bytes, context)
            case .end(let trailers): receiveEnd(trailers, context)
            }
        }
        isWorking = false
        // Hummingbird's end looks at what it got only when it hears that this was all for now.
        if case .passing = state, !isReceiving { context.fireChannelReadComplete() }
        if isBroken, pending.isEmpty { return settleBroken(context) }
        if isReadHeld, mayRead(context) {
            isReadHeld = false
            context.read()
        }
    }

    /// A client that sends ahead or does not read its answers is not read from, nor is one that was given up.
    private func mayRead(_ context: ChannelHandlerContext) -> Bool {
        state.listens && pending.count < EndpointHandler.maxPending && pendingBytes < EndpointHandler.maxPendingBytes
            && !isOverflowing && context.channel.isWritable
    }

    func read(context: ChannelHandlerContext) {
        if mayRead(context) { context.read() } else { isReadHeld = true }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            // Who reads a long answer, however slowly, is not silent.
            lastRead = .now()
            work(context)
        }
        context.fireChannelWritabilityChanged()
    }

    private func receive(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        lastRequest = .now()
        (discarded, passed) = (0, 0)
        isOverflowing = false
        let fields = RequestHead(head)
        guard fields.namesHost(head.version), fields.isLengthPossible else { return answerUnreadable(.malformedRequest, context) }
        guard fields.isCodingKnown else { return answerUnreadable(.codingUnknown, context) }
        guard let request = service.request(head, fields, from: address, start: lastRequest) else {
            guard !isAbandoned else { return answerUnreadable(.stopping, context) }
            state = .passing(requestEnded: false, answerEnded: false)
            let body = service.passedBody(head)
            wanted = body.maxSize
            share = wanted > 0 ? service.passedShare() : nil
            secret = body.isSecret ? [] : nil
            isPassedOnKeptAlive = head.isKeepAlive && head.method != .CONNECT && !fields.asksForUpgrade
            return context.fireChannelRead(wrapInboundOut(.head(head)))
        }
        admit(request, context)
    }

    private func receive(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        switch state {
        case .reading(let request) where !request.throwsBodyAway:
            guard request.append(bytes) else { return refuse(request, .noRoomForBody, context, isLast: true) }
            if request.isTooLarge { refuse(request, .bodyTooLarge(limit: request.match.endpoint.maxBodySize), context) }
        case .passing where wanted > 0:
            // With the part that is too much it is seen to be too much; what comes behind that nobody wants.
            wanted -= bytes.readableBytes + (bytes.readableBytes == 0 ? 1 : 0)
            passed += bytes.readableBytes
            guard share?.grow(to: passed) ?? true else { return answerUnreadable(.noRoomForBody, context) }
            // Where it came in, in buffers that others hold as well, too.
            if secret != nil { bytes.withUnsafeReadableBytes { secret!.append(SecretBytes(taking: $0)) } }
            context.fireChannelRead(wrapInboundOut(.body(bytes)))
        case .reading, .passing, .discarding:
            discarded += bytes.readableBytes
            isOverflowing = isOverflowing || !mayDiscard(bytes.readableBytes, of: discarded)
            settleOverflow(context)
        case .idle, .admitting, .answering, .resting, .closed: break
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
            start(request, context)
        case .discarding(let isLast):
            if isLast || endsHere { close(context) } else { state = .idle }
        case .idle, .admitting, .answering, .resting, .closed: break
        }
    }
}

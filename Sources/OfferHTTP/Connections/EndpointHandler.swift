import NIOCore
import NIOHTTP1
import OfferService

/// Answers the API's most frequent operations directly on the connection's event loop, without starting a task or changing
/// threads.
///
/// Requests for other paths are forwarded to Hummingbird. The handler processes one request at a time. If a client sends more
/// requests before it has its answer, they wait here.
final class EndpointHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    // Reading stops when this many parts of requests, or this many bytes of bodies, are pending.
    private static let maxPending = 64
    private static let maxPendingBytes = 16 * 1024
    // If the client has closed its side, NIO reads everything that was sent, even if this handler does not ask for more. Input
    // beyond these limits is dropped.
    private static let maxKeptBytes = 256 * 1024
    private static let maxKept = 4096

    let service: EndpointService
    let lane: StoreLane
    let idleTimeout: TimeAmount
    var state = ConnectionState.idle
    /// The parts of requests that are not processed yet.
    var pending = CircularBuffer<HTTPServerRequestPart>()
    private var pendingBytes = 0
    /// How many bytes of the current request were read and discarded.
    private var discarded = 0
    /// The number of body bytes that may still be forwarded.
    private var wanted = 0
    /// The number of body bytes that were forwarded.
    private var passed = 0
    /// The part of the memory budget that the forwarded body takes until its request is answered; nil if no body is forwarded.
    var share: BodyShare?
    /// The body of the forwarded request, if it is secret: it is kept here, and zeros are forwarded in its place. Otherwise nil.
    var secret: [SecretBytes]?
    /// Whether more of the current request would have to be discarded than is permitted, so that no more of it is read.
    private(set) var isOverflowing = false
    /// Whether no more requests are to come on this connection, because the service is stopping or the client has ended its side.
    var isQuiescing = false
    /// Whether the client has ended its side of the connection.
    var isClientGone = false
    /// Cancels the forwarded request once the client has gone; nil if that request is carried out in any case.
    var giveUp: (() -> Void)?
    /// Whether Hummingbird has stopped handling this connection, so that forwarded requests would not be answered.
    var isAbandoned = false
    /// Whether the input has stopped being valid HTTP, or exceeds the limits of pending input.
    var isBroken = false
    /// Whether the connection continues after the forwarded request.
    var isPassedOnKeptAlive = true
    var lastRequest = NIODeadline.now()
    /// When the client had last read so much of an answer that more could be written.
    private(set) var lastRead = NIODeadline.now()
    var idleCheck: Scheduled<Void>?
    /// The encoder's context in the pipeline.
    ///
    /// The handler writes its own answers from there, so that they bypass the encoder: they are encoded already.
    private(set) var encoder: ChannelHandlerContext?
    /// The client's address; nil if the client had already closed the connection.
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

    /// Processes the pending input until there is none left, or until a request has to wait for the answer to the one before it.
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
        // Hummingbird processes what it has received only when it gets a read-complete event.
        if case .passing = state, !isReceiving { context.fireChannelReadComplete() }
        if isBroken, pending.isEmpty { return settleBroken(context) }
        if isReadHeld, mayRead(context) {
            isReadHeld = false
            context.read()
        }
    }

    /// Whether to read more.
    ///
    /// Nothing is read if too much input is pending, if the client does not read its answers, or if the connection is ending.
    private func mayRead(_ context: ChannelHandlerContext) -> Bool {
        state.listens && pending.count < EndpointHandler.maxPending && pendingBytes < EndpointHandler.maxPendingBytes
            && !isOverflowing && context.channel.isWritable
    }

    func read(context: ChannelHandlerContext) {
        if mayRead(context) { context.read() } else { isReadHeld = true }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            // A client that reads a long answer, however slowly, does not count as silent.
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
            if request.isTooLarge { refuse(request, .bodyTooLarge(limit: request.match.operation.bodySize), context) }
        case .passing where wanted > 0:
            // The first part beyond the limit is still forwarded, so that Hummingbird notices that the body is too large. Later
            // parts are discarded.
            wanted -= bytes.readableBytes + (bytes.readableBytes == 0 ? 1 : 0)
            passed += bytes.readableBytes
            guard share?.grow(to: passed) ?? true else { return answerUnreadable(.noRoomForBody, context) }
            // The bytes in the input buffer are overwritten with zeros, because other buffers may share the same memory.
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

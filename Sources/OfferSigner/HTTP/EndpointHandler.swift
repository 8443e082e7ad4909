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

    private enum State {
        case idle
        /// Somebody further down the pipeline answers.
        case passing(requestEnded: Bool, answerEnded: Bool)
        case reading(Reading)
        case answering
        /// Answered before its body was read: the rest is dropped, up to a bound, and the connection closed.
        case discarding(left: Int)
        /// Given up: whatever still comes is not carried out.
        case closed
    }

    /// A request whose body is coming in. A class: the state that holds it is copied at every turn.
    private final class Reading {
        let head: HTTPRequestHead
        let fields: RequestHead
        let match: EndpointDirectory.Match
        let start: NIODeadline
        var body: ByteBuffer?

        init(head: HTTPRequestHead, fields: RequestHead, match: EndpointDirectory.Match, start: NIODeadline) {
            self.head = head
            self.fields = fields
            self.match = match
            self.start = start
        }
    }

    // Closing at once would reset the connection before the answer is read.
    private static let mostDiscarded = 8 << 20
    // Parts that a client may send ahead before we stop reading.
    private static let mostWaiting = 64
    // After a shutdown began, a request may still be on its way: only then are silent connections closed.
    private static let drainDelay = TimeAmount.milliseconds(400)
    // What is not a whole request by then is given up.
    private static let drainDeadline = TimeAmount.seconds(10)
    // For the peer to read the last answer while it is still sending.
    private static let lingerTime = TimeAmount.seconds(1)

    private let service: EndpointService
    private let lane: StoreLane
    private let idleTimeout: TimeAmount
    private var state = State.idle
    private var waiting = CircularBuffer<HTTPServerRequestPart>()
    private var isWorking = false
    private var isReceiving = false
    private var isReadHeld = false
    private var isQuiescing = false
    private var isBroken = false
    private var isPassedOnKeptAlive = true
    private var lastRequest = NIODeadline.now()
    private var idleCheck: Scheduled<Void>?
    /// The encoder's place in the pipeline: writing from there leaves our finished bytes as they are.
    private var encoder: ChannelHandlerContext?

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

    // MARK: Requests

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
    private func work(_ context: ChannelHandlerContext) {
        guard !isWorking else { return }
        isWorking = true
        while takesMore, context.channel.isWritable, let part = waiting.popFirst() {
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

    private var takesMore: Bool {
        switch state {
        case .answering, .closed, .passing(requestEnded: true, answerEnded: false): false
        case .idle, .reading, .discarding, .passing: true
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
        guard let match = service.endpoint(head.uri) else {
            state = .passing(requestEnded: false, answerEnded: false)
            isPassedOnKeptAlive = head.isKeepAlive && head.method != .CONNECT && !head.headers.contains(name: "upgrade")
            return context.fireChannelRead(wrapInboundOut(.head(head)))
        }
        let fields = RequestHead(head)
        let reading = Reading(head: head, fields: fields, match: match, start: lastRequest)
        let largestBody = match.endpoint.largestBody
        if let length = fields.contentLength, length > largestBody {
            return refuse(reading, .bodyTooLarge(limit: largestBody), context)
        }
        state = .reading(reading)
        if fields.expectsContinue {
            encoder?.writeAndFlush(NIOAny(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")), promise: nil)
        }
    }

    private func receive(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        switch state {
        case .passing: context.fireChannelRead(wrapInboundOut(.body(bytes)))
        case .reading(let reading):
            reading.body.setOrWriteImmutableBuffer(bytes)
            let limit = reading.match.endpoint.largestBody
            if reading.body!.readableBytes > limit { refuse(reading, .bodyTooLarge(limit: limit), context) }
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
        case .reading(let reading):
            state = .answering
            perform(reading, context)
        case .discarding: close(context)
        case .idle, .answering, .closed: break
        }
    }

    // MARK: Answers

    private func refuse(_ reading: Reading, _ problem: Problem, _ context: ChannelHandlerContext) {
        state = .discarding(left: EndpointHandler.mostDiscarded)
        let requestID = reading.fields.requestID ?? RequestID.make()
        let answer = Answer.problem(problem, requestID: requestID)
        write(answer, reading, requestID: requestID, caller: nil, problem: problem, isLast: true)
    }

    private func perform(_ reading: Reading, _ context: ChannelHandlerContext) {
        let requestID = reading.fields.requestID ?? RequestID.make()
        service.perform(
            method: reading.head.method,
            fields: reading.fields,
            match: reading.match,
            body: reading.body ?? ByteBuffer(),
            requestID: requestID,
            lane: lane
        ) { [self] answer, caller, problem in
            let isLast = !reading.head.isKeepAlive || reading.fields.asksForUpgrade || endsHere
            write(answer, reading, requestID: requestID, caller: caller, problem: problem, isLast: isLast)
            guard case .answering = state, !isLast else { return }
            state = .idle
            work(context)
        }
    }

    private func write(
        _ answer: Answer,
        _ reading: Reading,
        requestID: String,
        caller: Caller?,
        problem: Problem?,
        isLast: Bool
    ) {
        service.didFinish(
            RequestRecord(
                requestID: requestID,
                method: reading.head.method.rawValue,
                route: reading.match.endpoint.path,
                status: answer.status.code,
                caller: caller?.id,
                problem: problem?.code,
                reason: problem?.cause,
                duration: .now() - reading.start
            )
        )
        // Nil once the connection is gone; the row, if there is one, stays.
        guard let encoder else { return }
        let bytes = answer.bytes(
            to: reading.head, requestID: requestID, isLast: isLast, allocator: encoder.channel.allocator)
        guard isLast, case .answering = state else { return encoder.writeAndFlush(NIOAny(bytes), promise: nil) }
        let written = encoder.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { _ in encoder.close(promise: nil) }
        state = .closed
        encoder.writeAndFlush(NIOAny(bytes), promise: written)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data), case .passing(let requestEnded, _) = state else {
            return context.write(data, promise: promise)
        }
        context.write(data, promise: promise)
        state = .passing(requestEnded: requestEnded, answerEnded: true)
        context.flush()
        settlePassing(context)
    }

    private func settlePassing(_ context: ChannelHandlerContext) {
        guard case .passing(requestEnded: true, answerEnded: true) = state else { return }
        state = .idle
        if !isPassedOnKeptAlive || endsHere { close(context) } else { work(context) }
    }

    /// Whether nothing that has been sent is left to answer, and nothing more is wanted.
    private var endsHere: Bool { waiting.isEmpty && !isBroken && (isQuiescing || service.isDraining) }

    // MARK: The end of a connection

    private func close(_ context: ChannelHandlerContext) {
        state = .closed
        waiting.removeAll()
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        state = .closed
        waiting.removeAll()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError else { return close(context) }
        // What came whole before the broken bytes is still answered.
        isBroken = true
        work(context)
    }

    private func settleBroken(_ context: ChannelHandlerContext) {
        switch state {
        case .idle, .reading: answerBrokenBytes(context)
        case .discarding, .passing(requestEnded: false, _): close(context)
        case .answering, .passing, .closed: break
        }
    }

    private func answerBrokenBytes(_ context: ChannelHandlerContext) {
        let requestID = RequestID.make()
        service.didFinish(.malformed(requestID: requestID))
        state = .closed
        guard let encoder else { return }
        let answer = Answer.problem(.malformedRequest, requestID: requestID)
        let bytes = answer.bytes(requestID: requestID, allocator: encoder.channel.allocator)
        encoder.writeAndFlush(NIOAny(bytes), promise: nil)
        encoder.close(mode: .output, promise: nil)
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: EndpointHandler.lingerTime) { bound.value.close(promise: nil) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event {
            // Not passed on: whoever answers further down would take it for the end and close before the answer is out.
            isQuiescing = true
            if case .idle = state, endsHere { close(context) }
            return
        }
        guard event is ChannelShouldQuiesceEvent else { return context.fireUserInboundEventTriggered(event) }
        service.startDraining()
        quiesce(in: EndpointHandler.drainDelay, context) { handler in
            handler.isQuiescing = true
            switch handler.state {
            case .idle, .passing(_, answerEnded: true): return true
            default: return false
            }
        }
        quiesce(in: EndpointHandler.drainDeadline, context) { handler in
            if case .answering = handler.state { false } else { true }
        }
    }

    /// Closes the connection after a while, if it is then to be closed.
    private func quiesce(
        in delay: TimeAmount,
        _ context: ChannelHandlerContext,
        if isToClose: @escaping (EndpointHandler) -> Bool
    ) {
        let bound = NIOLoopBound((self, context, isToClose), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: delay) {
            let (handler, context, isToClose) = bound.value
            if isToClose(handler) { handler.close(context) }
        }
    }

    /// Closes a connection that completes no request in time, whether it is silent or dribbles.
    private func scheduleIdleCheck(in delay: TimeAmount, _ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        idleCheck = context.eventLoop.scheduleTask(in: delay) {
            let (handler, context) = bound.value
            let left = handler.lastRequest + handler.idleTimeout - .now()
            if handler.isWaitedFor, context.channel.isWritable {
                handler.scheduleIdleCheck(in: handler.idleTimeout, context)
            } else if left > .zero {
                handler.scheduleIdleCheck(in: left, context)
            } else {
                handler.close(context)
            }
        }
    }

    /// Whether the client waits for us, not we for the client.
    private var isWaitedFor: Bool {
        switch state {
        case .answering, .passing(requestEnded: true, answerEnded: false): true
        default: false
        }
    }
}

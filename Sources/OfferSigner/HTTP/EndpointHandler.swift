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
    }

    private struct Reading {
        let head: HTTPRequestHead
        let fields: RequestHead
        let endpoint: any Endpoint
        let start: NIODeadline
        var body: ByteBuffer?
    }

    // Closing at once would reset the connection before the answer is read.
    private static let mostDiscarded = 8 << 20
    // Parts that a client may send ahead before we stop reading.
    private static let mostWaiting = 64
    // After a shutdown began, a request may still be on its way: only then are silent connections closed.
    private static let drainDelay = TimeAmount.milliseconds(400)

    private let service: EndpointService
    private let lane: LedgerLane
    private let idleTimeout: TimeAmount
    private var state = State.idle
    private var waiting = CircularBuffer<HTTPServerRequestPart>()
    private var isWorking = false
    private var isReadHeld = false
    private var isQuiescing = false
    private var isPassedOnKeptAlive = true
    private var lastRequest = NIODeadline.now()
    private var idleCheck: Scheduled<Void>?
    /// The encoder's place in the pipeline: writing from there leaves our finished bytes as they are.
    private var encoder: ChannelHandlerContext?

    init(service: EndpointService, lane: LedgerLane, idleTimeout: TimeAmount) {
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
        waiting.append(unwrapInboundIn(data))
        work(context)
    }

    /// Works through what has come in, until a request has to wait for the answer to the one before it.
    private func work(_ context: ChannelHandlerContext) {
        guard !isWorking else { return }
        isWorking = true
        while takesMore, let part = waiting.popFirst() {
            switch part {
            case .head(let head): receive(head, context)
            case .body(let bytes): receive(bytes, context)
            case .end(let trailers): receiveEnd(trailers, context)
            }
        }
        isWorking = false
        if isReadHeld, waiting.count < EndpointHandler.mostWaiting {
            isReadHeld = false
            context.read()
        }
    }

    private var takesMore: Bool {
        switch state {
        case .answering, .passing(requestEnded: true, answerEnded: false): false
        default: true
        }
    }

    func read(context: ChannelHandlerContext) {
        if waiting.count < EndpointHandler.mostWaiting { context.read() } else { isReadHeld = true }
    }

    private func receive(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        lastRequest = .now()
        guard let endpoint = service.endpoint(head.uri) else {
            state = .passing(requestEnded: false, answerEnded: false)
            isPassedOnKeptAlive = head.isKeepAlive
            return context.fireChannelRead(wrapInboundOut(.head(head)))
        }
        let fields = RequestHead(head)
        let reading = Reading(head: head, fields: fields, endpoint: endpoint, start: lastRequest)
        if let length = fields.contentLength, length > endpoint.largestBody {
            return refuse(reading, .bodyTooLarge(limit: endpoint.largestBody), context)
        }
        state = .reading(reading)
        if fields.expectsContinue {
            encoder?.writeAndFlush(NIOAny(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")), promise: nil)
        }
    }

    private func receive(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        switch state {
        case .passing: context.fireChannelRead(wrapInboundOut(.body(bytes)))
        case .reading(var reading):
            state = .idle  // the buffer below must have one owner, or it is copied
            reading.body.setOrWriteImmutableBuffer(bytes)
            if reading.body!.readableBytes > reading.endpoint.largestBody {
                refuse(reading, .bodyTooLarge(limit: reading.endpoint.largestBody), context)
            } else {
                state = .reading(reading)
            }
        case .discarding(let left):
            state = .discarding(left: left - bytes.readableBytes)
            if left < bytes.readableBytes { context.close(promise: nil) }
        case .idle, .answering: break
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
        case .discarding: context.close(promise: nil)
        case .idle, .answering: break
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
            endpoint: reading.endpoint,
            body: reading.body ?? ByteBuffer(),
            requestID: requestID,
            lane: lane
        ) { [self] answer, caller, problem in
            let isLast = !reading.head.isKeepAlive || (waiting.isEmpty && (isQuiescing || service.isDraining))
            write(answer, reading, requestID: requestID, caller: caller, problem: problem, isLast: isLast)
            if isLast { return }
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
                route: reading.endpoint.path,
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
        let isLast = !isPassedOnKeptAlive || (waiting.isEmpty && (isQuiescing || service.isDraining))
        if isLast { context.close(promise: nil) } else { work(context) }
    }

    // MARK: The end of a connection

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is HTTPParserError, case .idle = state, let encoder {
            let requestID = RequestID.make()
            let answer = Answer.problem(.malformedRequest, requestID: requestID)
            let bytes = answer.bytes(requestID: requestID, allocator: encoder.channel.allocator)
            encoder.writeAndFlush(NIOAny(bytes), promise: nil)
            service.didFinish(.malformed(requestID: requestID))
        }
        // Nothing after broken bytes can be trusted to be a request.
        context.close(promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event {
            isQuiescing = true
            if case .idle = state, waiting.isEmpty { context.close(promise: nil) }
        }
        guard event is ChannelShouldQuiesceEvent else { return context.fireUserInboundEventTriggered(event) }
        service.startDraining()
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: EndpointHandler.drainDelay) {
            let (handler, context) = bound.value
            handler.isQuiescing = true
            if case .idle = handler.state { context.close(promise: nil) }
        }
    }

    /// Closes a connection that completes no request in time, whether it is silent or dribbles.
    private func scheduleIdleCheck(in delay: TimeAmount, _ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        idleCheck = context.eventLoop.scheduleTask(in: delay) {
            let (handler, context) = bound.value
            let left = handler.lastRequest + handler.idleTimeout - .now()
            switch handler.state {
            case .answering, .passing: handler.scheduleIdleCheck(in: handler.idleTimeout, context)
            case .idle, .reading, .discarding:
                if left > .zero { handler.scheduleIdleCheck(in: left, context) } else { context.close(promise: nil) }
            }
        }
    }
}

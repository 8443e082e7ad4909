import NIOCore
import NIOHTTP1

/// Answers the API's operations right where the bytes come in: on the connection's event loop, with no task and no hop.
///
/// Requests for other paths go on to Hummingbird. The pipeline handler before this one lets in one request at a time.
final class EndpointHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum State {
        case idle
        /// Somebody further down the pipeline answers.
        case passing
        case reading(Reading)
        case answering
        /// Answered before its body was read: the rest is dropped, up to a bound.
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

    private let service: EndpointService
    private let lane: LedgerLane
    private var state = State.idle

    init(service: EndpointService, lane: LedgerLane) {
        self.service = service
        self.lane = lane
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): receive(head, data, context)
        case .body(let bytes): receive(bytes, data, context)
        case .end: receiveEnd(data, context)
        }
    }

    private func receive(_ head: HTTPRequestHead, _ data: NIOAny, _ context: ChannelHandlerContext) {
        guard let endpoint = service.endpoint(head.uri) else {
            state = .passing
            return context.fireChannelRead(data)
        }
        let fields = RequestHead(head)
        let reading = Reading(head: head, fields: fields, endpoint: endpoint, start: .now())
        if let length = fields.contentLength, length > endpoint.largestBody {
            return refuse(reading, .bodyTooLarge(limit: endpoint.largestBody), context)
        }
        state = .reading(reading)
        if fields.expectsContinue {
            context.writeAndFlush(
                wrapOutboundOut(.head(HTTPResponseHead(version: head.version, status: .continue))), promise: nil)
        }
    }

    private func receive(_ bytes: ByteBuffer, _ data: NIOAny, _ context: ChannelHandlerContext) {
        switch state {
        case .passing: context.fireChannelRead(data)
        case .reading(var reading):
            state = .idle  // the buffer below must have one owner, or it is copied
            if reading.body == nil {
                reading.body = bytes
            } else {
                reading.body!.writeImmutableBuffer(bytes)
            }
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

    private func receiveEnd(_ data: NIOAny, _ context: ChannelHandlerContext) {
        switch state {
        case .passing: context.fireChannelRead(data)
        case .reading(let reading):
            state = .answering
            perform(reading, context)
        case .discarding: context.close(promise: nil)
        case .idle, .answering: break
        }
    }

    private func refuse(_ reading: Reading, _ problem: Problem, _ context: ChannelHandlerContext) {
        state = .discarding(left: EndpointHandler.mostDiscarded)
        let requestID = reading.fields.requestID ?? RequestID.make()
        let answer = Answer.problem(problem, requestID: requestID)
        write(answer, reading, requestID: requestID, caller: nil, problem: problem, isLast: true, context)
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
            let isLast = !reading.head.isKeepAlive || service.isDraining
            state = .idle
            write(answer, reading, requestID: requestID, caller: caller, problem: problem, isLast: isLast, context)
        }
    }

    private func write(
        _ answer: Answer,
        _ reading: Reading,
        requestID: String,
        caller: Caller?,
        problem: Problem?,
        isLast: Bool,
        _ context: ChannelHandlerContext
    ) {
        service.didFinish(
            RequestRecord(
                requestID: requestID,
                method: reading.head.method.rawValue,
                route: reading.endpoint.path,
                status: answer.status.code,
                caller: caller?.id,
                problem: problem?.code,
                duration: .now() - reading.start
            )
        )
        guard context.channel.isActive else { return }
        let head = HTTPResponseHead(
            version: reading.head.version,
            status: answer.status,
            headers: headers(answer, requestID: requestID, isLast: isLast)
        )
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: answer.body)))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        if isLast, case .idle = state { context.close(promise: nil) }
    }

    private func headers(_ answer: Answer, requestID: String, isLast: Bool) -> HTTPHeaders {
        var lines: [(String, String)] = []
        lines.reserveCapacity(9)
        lines.append(("Content-Type", answer.contentType))
        lines.append(("Content-Length", String(answer.body.count)))
        lines.append(("X-Request-Id", requestID))
        for line in answer.headers { lines.append((line.name, line.value)) }
        if isLast { lines.append(("Connection", "close")) }
        return HTTPHeaders(lines)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent {
            if case .answering = state { return }
            context.close(promise: nil)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }
}

import NIOCore
import NIOHTTP1

extension EndpointHandler {
    // Closing at once would reset the connection before the answer is read.
    private static let mostDiscarded = 8 << 20

    /// Answers a request that is too large, before the rest of it is read.
    func refuse(_ request: IncomingRequest) {
        state = .discarding(left: EndpointHandler.mostDiscarded)
        let problem = Problem.bodyTooLarge(limit: request.match.endpoint.largestBody)
        write(.problem(problem, requestID: request.requestID), to: request, caller: nil, problem: problem, isLast: true)
    }

    /// Runs the operation and answers with its result.
    func perform(_ request: IncomingRequest, _ context: ChannelHandlerContext) {
        service.perform(request, lane: lane) { [self] answer, caller, problem in
            let isLast = request.isLast || endsHere
            write(answer, to: request, caller: caller, problem: problem, isLast: isLast)
            guard case .answering = state, !isLast else { return }
            state = .idle
            work(context)
        }
    }

    private func write(_ answer: Answer, to request: IncomingRequest, caller: Caller?, problem: Problem?, isLast: Bool) {
        service.didFinish(request.record(status: answer.status.code, caller: caller, problem: problem))
        // Nil once the connection is gone; the row, if there is one, stays.
        guard let encoder else { return }
        let bytes = answer.bytes(to: request, isLast: isLast, allocator: encoder.channel.allocator)
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

    /// Goes on to the next request if the one that was passed on is over.
    func settlePassing(_ context: ChannelHandlerContext) {
        guard case .passing(requestEnded: true, answerEnded: true) = state else { return }
        state = .idle
        if !isPassedOnKeptAlive || endsHere { close(context) } else { work(context) }
    }

    /// Whether nothing that has been sent is left to answer, and nothing more is wanted.
    var endsHere: Bool { waiting.isEmpty && !isBroken && (isQuiescing || service.isDraining) }
}

import NIOCore
import NIOHTTP1
import OfferService

extension EndpointHandler {
    // The delay of a refusal, in ms. It is about as long as the answer's `Retry-After`. It is random, so that many clients that
    // were refused together do not all return at the same moment.
    private static let rest: ClosedRange<Int64> = 500...1500

    /// Decides from a request's head whether its body is read.
    ///
    /// If the body is not to be read, it answers the request at once.
    func admit(_ request: IncomingRequest, _ context: ChannelHandlerContext) {
        let decision = service.judge(request, on: context.channel)
        let reply: (Gate.Decision) -> Void = { [self] decision in
            guard case .admitting = state else { return }
            settle(decision, request, context)
            work(context)
        }
        switch decision {
        case .unknownKey:
            state = .admitting
            service.judgeAgain(request, on: context.channel, lane: lane, reply: reply)
        case .unverifiedToken:
            state = .admitting
            service.judgeUnverified(request, lane: lane, reply: reply)
        case .admitted, .refused: settle(decision, request, context)
        }
    }

    private func settle(_ decision: Gate.Decision, _ request: IncomingRequest, _ context: ChannelHandlerContext) {
        switch decision {
        case .admitted(let admission):
            guard !request.isQueued || !lane.queue.isFull(for: request.queueName(of: admission.caller)) else {
                return refuseInTime(request, .overloaded, context, admission.caller, admission.rate)
            }
            guard request.reserve() else {
                guard request.isUnauthenticated else { return refuse(request, .noRoomForBody, context, isLast: true) }
                return refuseInTime(request, .noRoomForBody, context)
            }
            request.admission = admission
            state = .reading(request)
            guard request.fields.expectsContinue, !request.throwsBodyAway else { return }
            encoder?.writeAndFlush(NIOAny(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")), promise: nil)
        case .refused(let problem, let caller, let rate): refuseInTime(request, problem, context, caller, rate)
        case .unknownKey, .unverifiedToken: refuseInTime(request, .unauthorized, context)
        }
    }

    /// Refuses a request: at once, or after a delay if many requests are being refused.
    ///
    /// During the delay nothing is read from the connection.
    private func refuseInTime(
        _ request: IncomingRequest,
        _ problem: Problem,
        _ context: ChannelHandlerContext,
        _ caller: Caller? = nil,
        _ rate: RateLimit.Decision? = nil
    ) {
        // A client without an access key for whose request there is no room always gets a delay. If it could retry at once, that
        // would cost the service more than the client.
        let hasNoRoom = request.isUnauthenticated && problem.status == .serviceUnavailable
        let pace = caller == nil ? lane.unauthenticatedRefusals : lane.refusals
        guard !hasNoRoom, let delay = pace.delay() else { return refuseLater(request, problem, context, caller, rate) }
        guard delay > .zero else { return refuse(request, problem, context, caller, rate) }
        state = .resting
        after(delay, context) { handler, context in
            guard case .resting = handler.state else { return }
            handler.refuse(request, problem, context, caller, rate)
            handler.work(context)
        }
    }

    /// Refuses a request after a delay, and ends the connection.
    private func refuseLater(
        _ request: IncomingRequest,
        _ problem: Problem,
        _ context: ChannelHandlerContext,
        _ caller: Caller? = nil,
        _ rate: RateLimit.Decision? = nil
    ) {
        state = .resting
        after(.milliseconds(.random(in: EndpointHandler.rest)), context) { handler, context in
            guard case .resting = handler.state else { return }
            let answer = handler.service.answer(problem, to: request, rate)
            handler.write(answer, to: request, caller: caller, problem: problem, isLast: true)
            // The connection is closed without reading the rest of the body, because the client has to send the request again
            // anyway.
            handler.linger(context)
        }
    }

    /// Answers a request before its body is read.
    ///
    /// - Parameter isLast: whether the connection must end. If not, it is kept if the rest of the body can be read and discarded.
    func refuse(
        _ request: IncomingRequest,
        _ problem: Problem,
        _ context: ChannelHandlerContext,
        _ caller: Caller? = nil,
        _ rate: RateLimit.Decision? = nil,
        isLast: Bool = false
    ) {
        // A client that waits for `100 Continue` may or may not send the body after a refusal. The service could not tell whether
        // the next bytes are the body or another request, so the connection ends.
        let isLast = isLast || request.isLast || request.isTooLarge || !request.isShort || request.fields.expectsContinue
        state = .discarding(isLast: isLast)
        write(service.answer(problem, to: request, rate), to: request, caller: caller, problem: problem, isLast: isLast)
        if isLast { scheduleEndOfDiscarding(context) }
    }

    /// Runs the operation when it is the caller's turn.
    func start(_ request: IncomingRequest, _ context: ChannelHandlerContext) {
        guard let admission = request.admission else { preconditionFailure("a body was read for a caller who was not let in") }
        guard request.isQueued, !lane.queue.mayStart() else { return perform(request, admission, context) }
        lane.queue.wait(for: request.queueName(of: admission.caller)) { [self] in
            // The client may have closed the connection meanwhile.
            guard case .answering = state else { return }
            perform(request, admission, context)
        }
    }

    private func perform(_ request: IncomingRequest, _ admission: Gate.Admission, _ context: ChannelHandlerContext) {
        service.perform(request, admission, lane: lane) { [self] answer, caller, problem in
            let isLast = request.isLast || endsHere
            write(answer, to: request, caller: caller, problem: problem, isLast: isLast)
            guard case .answering = state, !isLast else { return }
            state = .idle
            work(context)
        }
    }

    private func write(_ answer: Answer, to request: IncomingRequest, caller: Caller?, problem: Problem?, isLast: Bool) {
        request.giveRoomBack()
        service.didFinish(request.summary(status: answer.status.code, caller: caller, problem: problem))
        // Without an encoder the connection is gone, and the answer is lost. What the request has written to the store stays.
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
        settleOverflow(context)
        settlePassing(context)
    }

    /// Continues with the next request, if the forwarded request has been received and answered completely.
    func settlePassing(_ context: ChannelHandlerContext) {
        guard case .passing(requestEnded: true, answerEnded: true) = state else { return }
        state = .idle
        secret = nil
        share = nil
        if !isPassedOnKeptAlive || endsHere { close(context) } else { work(context) }
    }

    /// Whether the connection can end now, because everything that the client has sent is answered, and no more requests are
    /// wanted.
    var endsHere: Bool { pending.isEmpty && !isBroken && (isQuiescing || service.isDraining) }
}

import NIOCore
import NIOHTTP1

extension EndpointHandler {
    // A request may still be on its way when a shutdown begins, so silent connections close only after this delay.
    private static let drainDelay = TimeAmount.milliseconds(400)
    // Incomplete requests are dropped after this time.
    private static let drainDeadline = TimeAmount.milliseconds(2500)
    // How long a peer that is still sending has to read the last answer.
    private static let lingerTime = TimeAmount.seconds(1)

    /// Closes the connection and drops pending input.
    func close(_ context: ChannelHandlerContext) {
        state = .closed
        pending.removeAll()
        context.close(promise: nil)
    }

    /// Sets what is done when the client ends its side of the connection.
    ///
    /// It replaces what was set before, and is done at once if the client has already ended its side.
    func onClientGone(_ body: @escaping () -> Void) {
        if isClientGone { body() } else { giveUp = body }
    }

    private func noteClientGone() {
        isClientGone = true
        giveUp?()
        giveUp = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        noteClientGone()
        state = .closed
        share = nil
        pending.removeAll()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError else { return close(context) }
        // Requests that are complete before the broken bytes are still answered.
        isBroken = true
        work(context)
    }

    /// Ends a connection once all input before the broken bytes is processed.
    func settleBroken(_ context: ChannelHandlerContext) {
        switch state {
        case .idle, .reading: answerUnreadable(.malformedRequest, context)
        case .discarding, .passing(requestEnded: false, _): close(context)
        case .admitting, .answering, .resting, .passing, .closed: break
        }
    }

    /// Answers input that is not a request, a request whose body has no clear end, or a request that no handler is left for.
    ///
    /// Reads nothing more, and closes the connection.
    func answerUnreadable(_ problem: Problem, _ context: ChannelHandlerContext) {
        let requestID = RequestID.make()
        service.didFinish(.unreadable(problem, requestID: requestID))
        guard let encoder else { return close(context) }
        let answer = Answer.problem(problem, requestID: requestID)
        let bytes = answer.bytes(requestID: requestID, allocator: encoder.channel.allocator)
        encoder.writeAndFlush(NIOAny(bytes), promise: nil)
        linger(context)
    }

    /// Ends a connection after its last answer.
    ///
    /// Nothing more is read, and the peer has a moment to read that answer.
    func linger(_ context: ChannelHandlerContext) {
        state = .closed
        pending.removeAll()
        encoder?.close(mode: .output, promise: nil)
        after(EndpointHandler.lingerTime, context) { _, context in context.close(promise: nil) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event {
            // Not forwarded, because a later handler would take it for the end of the connection, and close before the answer is
            // out.
            isQuiescing = true
            noteClientGone()
            if case .idle = state, endsHere { close(context) }
            return
        }
        if event is ServiceConnection.AbandonedEvent { return abandon(context) }
        guard event is ChannelShouldQuiesceEvent else { return context.fireUserInboundEventTriggered(event) }
        service.startDraining()
        after(EndpointHandler.drainDelay, context) { handler, context in
            handler.isQuiescing = true
            if handler.state.owesNothing { handler.close(context) }
        }
        scheduleEndOfDraining(in: EndpointHandler.drainDeadline, context)
    }

    /// Continues without the handlers further down.
    ///
    /// A request that was forwarded, or would be, is answered with an error; its client has to send it again.
    private func abandon(_ context: ChannelHandlerContext) {
        isAbandoned = true
        if case .passing = state { answerUnreadable(.stopping, context) }
    }

    private func scheduleEndOfDraining(in delay: TimeAmount, _ context: ChannelHandlerContext) {
        after(delay, context) { handler, context in
            // A complete request is answered, however long that takes. An incomplete one is not awaited.
            guard handler.state.isWaitedFor else { return handler.close(context) }
            handler.scheduleEndOfDraining(in: .milliseconds(500), context)
        }
    }

    /// Closes a connection that completes no request in time, whether it is silent or slow.
    func scheduleIdleCheck(in delay: TimeAmount, _ context: ChannelHandlerContext) {
        idleCheck = after(delay, context) { handler, context in
            let left = max(handler.lastRequest, handler.lastRead) + handler.idleTimeout - .now()
            if handler.state.isWaitedFor, context.channel.isWritable {
                handler.scheduleIdleCheck(in: handler.idleTimeout, context)
            } else if left > .zero {
                handler.scheduleIdleCheck(in: left, context)
            } else {
                handler.close(context)
            }
        }
    }

    @discardableResult
    func after(
        _ delay: TimeAmount,
        _ context: ChannelHandlerContext,
        _ body: @escaping (EndpointHandler, ChannelHandlerContext) -> Void
    ) -> Scheduled<Void> {
        let bound = NIOLoopBound((self, context, body), eventLoop: context.eventLoop)
        return context.eventLoop.scheduleTask(in: delay) {
            let (handler, context, body) = bound.value
            body(handler, context)
        }
    }
}

import NIOCore
import NIOHTTP1

extension EndpointHandler {
    // When a shutdown begins, a request may still be on its way. Connections without a request are therefore closed after this
    // delay.
    private static let drainDelay = TimeAmount.milliseconds(400)
    // During a shutdown, a request that is still incomplete after this time is dropped.
    private static let drainDeadline = TimeAmount.milliseconds(2500)
    // How long a client that is still sending has to read its last answer before the connection is closed.
    private static let lingerTime = TimeAmount.seconds(1)

    /// Closes the connection and drops pending input.
    func close(_ context: ChannelHandlerContext) {
        state = .closed
        pending.removeAll()
        context.close(promise: nil)
    }

    /// Sets what is done when the client ends its side of the connection. It replaces what was set before.
    ///
    /// If the client has already ended its side, `body` is called at once.
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
        // Requests that have arrived completely before the invalid bytes are still answered.
        isBroken = true
        work(context)
    }

    /// Ends the connection, once all input before the invalid bytes is processed.
    func settleBroken(_ context: ChannelHandlerContext) {
        switch state {
        case .idle, .reading: answerUnreadable(.malformedRequest, context)
        case .discarding, .passing(requestEnded: false, _): close(context)
        case .admitting, .answering, .resting, .passing, .closed: break
        }
    }

    /// Answers input that cannot be handled: it is not a request, its body has no clear end, or there is no handler for it any
    /// more.
    ///
    /// After the answer, the connection is closed without reading anything more.
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
    /// Nothing more is read. The connection is closed a moment later, so that the client can read the answer.
    func linger(_ context: ChannelHandlerContext) {
        state = .closed
        pending.removeAll()
        encoder?.close(mode: .output, promise: nil)
        after(EndpointHandler.lingerTime, context) { _, context in context.close(promise: nil) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event {
            // The event is not forwarded. A later handler would take it for the end of the connection, and close the connection
            // before the answer is sent.
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

    /// Continues after Hummingbird has stopped handling this connection.
    ///
    /// A request that is for Hummingbird is then answered with an error, and its client has to send it again.
    private func abandon(_ context: ChannelHandlerContext) {
        isAbandoned = true
        if case .passing = state { answerUnreadable(.stopping, context) }
    }

    private func scheduleEndOfDraining(in delay: TimeAmount, _ context: ChannelHandlerContext) {
        after(delay, context) { handler, context in
            // A request that has arrived completely is still answered, however long that takes. An incomplete request is dropped.
            guard handler.state.isWaitedFor else { return handler.close(context) }
            handler.scheduleEndOfDraining(in: .milliseconds(500), context)
        }
    }

    /// Closes a connection on which no request is completed in time, whether the client sends nothing or sends too slowly.
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

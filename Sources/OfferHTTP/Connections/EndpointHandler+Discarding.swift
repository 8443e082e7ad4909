import NIOCore

extension EndpointHandler {
    // Closing at once would reset the connection before the answer is read; so the peer may go on for a while.
    private static let maxDiscarded = 8 << 20
    // Of a body that seemed short, which is read for the sake of the connection.
    private static let maxDiscardedOfShort = 64 << 10
    private static let maxDiscardingTime = TimeAmount.seconds(5)

    /// Whether so many more bytes, which make so many in all, may be read only to be thrown away.
    func mayDiscard(_ bytes: Int, of total: Int) -> Bool {
        if case .discarding(isLast: false) = state { return total <= EndpointHandler.maxDiscardedOfShort }
        return total <= EndpointHandler.maxDiscarded && service.waste.admit(bytes)
    }

    /// Ends a connection whose peer sends too much that nobody wants, once it has its answer.
    func settleOverflow(_ context: ChannelHandlerContext) {
        guard isOverflowing else { return }
        // Not read from any more, one that waits for an answer from further down gets that first.
        if case .passing(_, answerEnded: false) = state { return }
        linger(context)
    }

    /// Ends a connection on which a refused body goes on and on.
    func scheduleEndOfDiscarding(_ context: ChannelHandlerContext) {
        after(EndpointHandler.maxDiscardingTime, context) { handler, context in
            // The connection ends with this request: it cannot be another one's.
            if case .discarding(isLast: true) = handler.state { handler.close(context) }
        }
    }
}

import NIOCore

extension EndpointHandler {
    // An immediate close would reset the connection before the peer reads the answer, so the peer may send this much more.
    private static let maxDiscarded = 8 << 20
    // The bound for a body that seemed short, which is read to keep the connection.
    private static let maxDiscardedOfShort = 64 << 10
    private static let maxDiscardingTime = TimeAmount.seconds(5)

    /// Whether `bytes` more, which make `total` in all, may be read only to be discarded.
    func mayDiscard(_ bytes: Int, of total: Int) -> Bool {
        if case .discarding(isLast: false) = state { return total <= EndpointHandler.maxDiscardedOfShort }
        return total <= EndpointHandler.maxDiscarded && service.discardBudget.admit(bytes)
    }

    /// Ends a connection whose peer sends too much unwanted data, once the peer has its answer.
    func settleOverflow(_ context: ChannelHandlerContext) {
        guard isOverflowing else { return }
        // A connection that waits for an answer from further down receives it first. Nothing more is read from it.
        if case .passing(_, answerEnded: false) = state { return }
        linger(context)
    }

    /// Ends a connection whose refused body does not end in time.
    func scheduleEndOfDiscarding(_ context: ChannelHandlerContext) {
        after(EndpointHandler.maxDiscardingTime, context) { handler, context in
            // The connection ends with this request, so the body is still the same.
            if case .discarding(isLast: true) = handler.state { handler.close(context) }
        }
    }
}

import NIOCore

extension EndpointHandler {
    // The peer may send this many more bytes. Closing at once would reset the connection before the peer reads the answer.
    private static let maxDiscarded = 8 << 20
    // The bound for a body that seemed short, and is read so that the connection can be kept.
    private static let maxDiscardedOfShort = 64 << 10
    private static let maxDiscardingTime = TimeAmount.seconds(5)

    /// Whether `bytes` more may be read only to be discarded.
    ///
    /// Together with what was discarded before they make `total`.
    func mayDiscard(_ bytes: Int, of total: Int) -> Bool {
        if case .discarding(isLast: false) = state { return total <= EndpointHandler.maxDiscardedOfShort }
        return total <= EndpointHandler.maxDiscarded && service.discardBudget.admit(bytes)
    }

    /// Ends a connection whose peer sends too much unwanted data.
    ///
    /// It first waits until the peer has its answer.
    func settleOverflow(_ context: ChannelHandlerContext) {
        guard isOverflowing else { return }
        // A connection that waits for an answer from further down receives it first. Nothing more is read from it.
        if case .passing(_, answerEnded: false) = state { return }
        linger(context)
    }

    /// Ends a connection whose refused body does not end in time.
    func scheduleEndOfDiscarding(_ context: ChannelHandlerContext) {
        after(EndpointHandler.maxDiscardingTime, context) { handler, context in
            // The connection ends with this request, so what it discards now is still the same body.
            if case .discarding(isLast: true) = handler.state { handler.close(context) }
        }
    }
}

import NIOCore

extension EndpointHandler {
    // So many bytes of a refused body are read and discarded. If the connection were closed at once, the system would reset it,
    // and the client might not be able to read the answer.
    private static let maxDiscarded = 8 << 20
    // The limit for a body that seemed to be short, which is read so that the connection can be kept.
    private static let maxDiscardedOfShort = 64 << 10
    private static let maxDiscardingTime = TimeAmount.seconds(5)

    /// Whether more bytes of a refused body may be read and discarded.
    ///
    /// - Parameters:
    ///   - bytes: the number of bytes that have just arrived.
    ///   - total: the number of bytes with those that were discarded before.
    func mayDiscard(_ bytes: Int, of total: Int) -> Bool {
        if case .discarding(isLast: false) = state { return total <= EndpointHandler.maxDiscardedOfShort }
        return total <= EndpointHandler.maxDiscarded && service.discardBudget.admit(bytes)
    }

    /// Ends a connection on which the client sends too much data that is not wanted. Before that, the client gets its answer.
    func settleOverflow(_ context: ChannelHandlerContext) {
        guard isOverflowing else { return }
        // If Hummingbird has not answered yet, its answer is sent first. Nothing more is read meanwhile.
        if case .passing(_, answerEnded: false) = state { return }
        linger(context)
    }

    /// Ends the connection if the client does not finish sending a refused body in time.
    func scheduleEndOfDiscarding(_ context: ChannelHandlerContext) {
        after(EndpointHandler.maxDiscardingTime, context) { handler, context in
            // This state means that the connection ends with the request, so the body that is being discarded is still the same
            // one.
            if case .discarding(isLast: true) = handler.state { handler.close(context) }
        }
    }
}

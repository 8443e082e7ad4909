import HummingbirdCore
import NIOCore
import NIOHTTPTypes
import Synchronization

/// A connection on its way to its handler. A server that is ending drops connections that arrive at that moment.
///
/// NIO ends the process when a channel's writer is released before it is finished.
final class ServiceConnection: ServerChildChannelValue {
    private let asyncChannel: NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>
    private let isHandled = Atomic(false)

    init(_ asyncChannel: NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>) { self.asyncChannel = asyncChannel }

    var channel: any Channel { asyncChannel.channel }

    /// Returns the channel, which the caller must finish.
    func take() -> NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart> {
        isHandled.store(true, ordering: .relaxed)
        return asyncChannel
    }

    deinit {
        guard !isHandled.load(ordering: .relaxed) else { return }
        // Finishing at once would close the connection, perhaps before the endpoints have answered the input.
        Task { [asyncChannel] in
            try? await asyncChannel.executeThenClose { _, _ in try await asyncChannel.channel.closeFuture.get() }
        }
        channel.pipeline.fireUserInboundEventTriggered(AbandonedEvent())
    }

    /// Signals that the endpoints have no handler behind them, and will not get one.
    struct AbandonedEvent: Sendable {}
}

import HummingbirdCore
import NIOCore
import NIOHTTPTypes
import Synchronization

/// A connection on its way to whom handles it. A server that is ending lets go of those that come in the same moment.
///
/// NIO ends the process when a channel's writer is let go of before it was finished.
final class ServiceConnection: ServerChildChannelValue {
    private let asyncChannel: NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>
    private let isHandled = Atomic(false)

    init(_ asyncChannel: NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>) { self.asyncChannel = asyncChannel }

    var channel: any Channel { asyncChannel.channel }

    /// Gives out what reads and writes; whoever takes it has to see to its end.
    func take() -> NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart> {
        isHandled.store(true, ordering: .relaxed)
        return asyncChannel
    }

    deinit {
        guard !isHandled.load(ordering: .relaxed) else { return }
        // Finished at once it would close the connection, perhaps before the endpoints have answered what came in.
        Task { [asyncChannel] in
            try? await asyncChannel.executeThenClose { _, _ in try await asyncChannel.channel.closeFuture.get() }
        }
        channel.pipeline.fireUserInboundEventTriggered(AbandonedEvent())
    }

    /// Says that nobody stands behind the endpoints, nor will.
    struct AbandonedEvent: Sendable {}
}

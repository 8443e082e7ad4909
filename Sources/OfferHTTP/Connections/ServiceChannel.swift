import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import OfferService
import Synchronization

/// One HTTP/1.1 connection.
///
/// The API's operations see a request first; Hummingbird answers those that are not for them.
struct ServiceChannel: HTTPChannelHandler {
    private static let maxHeaderFieldSize = 16 * 1024
    private static let maxHeaderSize = 32 * 1024
    private static let maxHeaderCount = 100

    let responder: Responder
    let service: EndpointService
    let lanes: StoreLanes
    let idleTimeout: TimeAmount

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<ServiceConnection> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            var limits = NIOHTTPDecoderLimitConfiguration()
            limits.maxHeaderFieldSize = ServiceChannel.maxHeaderFieldSize
            limits.maxHeaderListSize = ServiceChannel.maxHeaderSize
            limits.maxHeaderFieldCount = ServiceChannel.maxHeaderCount
            // The endpoint handler does what NIO's handlers for pipelining, errors and idle connections would do.
            try pipeline.configureHTTPServerPipeline(
                withPipeliningAssistance: false,
                withErrorHandling: false,
                withOutboundHeaderValidation: false,
                withEncoderConfiguration: .init(),
                withDecoderLimitConfiguration: limits
            )
            let lane = lanes.lane(of: channel.eventLoop)
            try pipeline.addHandler(EndpointHandler(service: service, lane: lane, idleTimeout: idleTimeout))
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
            return ServiceConnection(
                try NIOAsyncChannel(
                    wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true)))
        }
    }

    func handle(value: ServiceConnection, logger: Logger) async {
        await handleHTTP(asyncChannel: value.take(), logger: logger)
    }
}

/// A connection on its way to its handler.
///
/// A server that is ending drops a connection that arrives at that moment. This type then finishes the channel's writer,
/// because NIO ends the process if a writer is released before it was finished.
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

    /// Signals that no handler stands behind the endpoints, and that none will be added.
    struct AbandonedEvent: Sendable {}
}

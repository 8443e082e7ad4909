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
/// `EndpointHandler` sees each request first. It forwards those that it does not answer itself to Hummingbird.
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
            // NIO's handlers for pipelining, errors and idle connections are left out, because the endpoint handler does their
            // work.
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

/// A connection that has been accepted and waits for its handler.
///
/// If the server is stopping at that moment, it drops the connection, and no handler takes it. NIO ends the process if a
/// channel's writer is released before it was finished, so this type finishes the writer.
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
        // The writer is finished once the connection has closed. Finishing it now would close the connection, perhaps before the
        // endpoint handler has answered what has arrived.
        Task { [asyncChannel] in
            try? await asyncChannel.executeThenClose { _, _ in try await asyncChannel.channel.closeFuture.get() }
        }
        channel.pipeline.fireUserInboundEventTriggered(AbandonedEvent())
    }

    /// An event that tells the endpoint handler that no handler stands behind it, and that none will be added.
    struct AbandonedEvent: Sendable {}
}

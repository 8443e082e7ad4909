import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOSSL

/// A connection inside TLS.
///
/// A connection keeps the TLS context with which it began, even if the certificate is replaced later.
struct SecureChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let context: @Sendable () -> NIOSSLContext

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        do {
            try channel.pipeline.syncOperations.addHandler(PlainHTTPHandler())
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context()))
        } catch {
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(error)
        }
        return base.setup(channel: channel, logger: logger)
    }

    func handle(value: Base.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}

/// Answers a client that sends plain HTTP to a port for HTTPS. It stands before TLS in the pipeline.
///
/// It looks only at the first byte. If that is not the beginning of an HTTP request, it removes itself.
final class PlainHTTPHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let lingerTime = TimeAmount.seconds(1)

    private var hasAnswered = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if hasAnswered { return }
        // A plain HTTP request begins with the first letter of its method, and TLS begins with the byte 22.
        guard let first = unwrapInboundIn(data).readableBytesView.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first)
        else {
            context.fireChannelRead(data)
            context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
            return
        }
        hasAnswered = true
        let requestID = RequestID.make()
        let answer = Answer.problem(.plainHTTP, requestID: requestID)
        let bytes = answer.bytes(requestID: requestID, allocator: context.channel.allocator)
        context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
        context.close(mode: .output, promise: nil)
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: Self.lingerTime) { bound.value.close(promise: nil) }
    }
}

extension Problem {
    fileprivate static let plainHTTP = Problem(
        status: .badRequest, code: "malformed-request", title: "Malformed request",
        detail: "this port speaks HTTPS, and the request is plain HTTP: begin the URL with https://")
}

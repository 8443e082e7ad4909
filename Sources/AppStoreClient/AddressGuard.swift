import NIOCore

/// Refuses to connect to some addresses. It sees the very address that is connected to, so that a name which resolves to another
/// one from one moment to the next gains nothing.
final class AddressGuard: ChannelOutboundHandler {
    typealias OutboundIn = Any

    private let accepts: @Sendable (SocketAddress) -> Bool

    init(accepts: @escaping @Sendable (SocketAddress) -> Bool) { self.accepts = accepts }

    func connect(context: ChannelHandlerContext, to address: SocketAddress, promise: EventLoopPromise<Void>?) {
        guard accepts(address) else {
            promise?.fail(HTTPClientError(.addressRefused, "the host's address is private, and not allowed"))
            return
        }
        context.connect(to: address, promise: promise)
    }
}

import Glibc
import NIOCore

/// Pauses accepting after a connection cannot be accepted, or has taken one of the last descriptors.
///
/// An immediate retry would fail again and keep a core busy. NIO's own pause does not help: the socket stays registered as
/// readable. Turning `autoRead` off deregisters it.
final class AcceptPause: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = any Channel

    private static let rest = TimeAmount.milliseconds(200)

    private let observer: any ConnectionObserver
    private let isReserveTouched: () -> Bool
    private var isResting = false

    /// - Parameter isReserveTouched: whether connections should take no more descriptors.
    init(observer: any ConnectionObserver, isReserveTouched: @escaping () -> Bool = { DescriptorReserve.isTouched }) {
        self.observer = observer
        self.isReserveTouched = isReserveTouched
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.fireChannelRead(data)
        if isReserveTouched() { rest(context, EMFILE) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? IOError { rest(context, error.errnoCode) }
        context.fireErrorCaught(error)
    }

    private func rest(_ context: ChannelHandlerContext, _ code: CInt) {
        guard !isResting, let options = context.channel.syncOptions else { return }
        isResting = true
        observer.didFailToAccept(String(cString: strerror(code)))
        try? options.setOption(.autoRead, value: false)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: AcceptPause.rest) {
            let (handler, context) = bound.value
            handler.isResting = false
            if handler.isReserveTouched() { return handler.rest(context, EMFILE) }
            // Fails when the socket was closed meanwhile: then there is nothing to accept.
            try? context.channel.syncOptions?.setOption(.autoRead, value: true)
        }
    }
}

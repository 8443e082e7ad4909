import Glibc
import NIOCore

/// Rests when a connection cannot be accepted, for want of descriptors above all: trying at once would fail again, and keep a core busy.
///
/// NIO's own pause does not hold: the socket stays registered as readable. Turning `autoRead` off takes it out.
final class AcceptPause: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = any Channel

    private static let rest = TimeAmount.milliseconds(200)

    private let observer: any ConnectionObserver
    private var isResting = false

    init(observer: any ConnectionObserver) { self.observer = observer }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? IOError { rest(context, error) }
        context.fireErrorCaught(error)
    }

    private func rest(_ context: ChannelHandlerContext, _ error: IOError) {
        guard !isResting, let options = context.channel.syncOptions else { return }
        isResting = true
        observer.didFailToAccept(String(cString: strerror(error.errnoCode)))
        try? options.setOption(.autoRead, value: false)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: AcceptPause.rest) {
            let (handler, context) = bound.value
            handler.isResting = false
            // Fails when the socket was closed meanwhile: then there is nothing to accept.
            try? context.channel.syncOptions?.setOption(.autoRead, value: true)
        }
    }
}

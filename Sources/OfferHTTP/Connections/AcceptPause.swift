import Glibc
import NIOCore

/// Pauses accepting connections after one could not be accepted, or has taken one of the last file descriptors.
///
/// An immediate retry would fail again and keep a core busy. NIO's own pause does not help, because it leaves the socket
/// registered as readable. Turning `autoRead` off deregisters the socket.
final class AcceptPause: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = any Channel

    private static let rest = TimeAmount.milliseconds(200)

    private let observer: any ConnectionObserver
    private let isReserveTouched: () -> Bool
    private var isResting = false

    /// - Parameter isReserveTouched: whether only the descriptors are left that connections must not take.
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
            // Fails if the socket was closed meanwhile, and then there is nothing to accept.
            try? context.channel.syncOptions?.setOption(.autoRead, value: true)
        }
    }
}

/// The file descriptors that connections leave to the rest of the process: for stores, files and calls to the App Store.
///
/// libdispatch, whose threads run Swift's tasks, opens a file of `/proc/self/task` every second, and ends the process if it
/// cannot.
enum DescriptorReserve {
    private static let size: rlim_t = 32

    /// Whether so few descriptors are left that no connection should be added.
    ///
    /// The limit and the number of open files may change at any time, so both are checked for each connection. That takes about a
    /// microsecond.
    static var isTouched: Bool {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return false }
        // The system returns the lowest free number, so all numbers below it are taken.
        let next = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard next >= 0 else { return true }
        close(next)
        return rlim_t(next) + size > limit.rlim_cur
    }
}

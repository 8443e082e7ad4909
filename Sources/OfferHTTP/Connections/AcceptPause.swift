import Glibc
import NIOCore

/// Pauses accepting connections after a connection could not be accepted, or has taken one of the last file descriptors.
///
/// Without a pause, the next attempt would fail at once, and again and again, and keep a processor core busy. NIO pauses by
/// itself, but that does not help, because it leaves the socket registered as readable. Turning `autoRead` off deregisters it.
final class AcceptPause: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = any Channel

    private static let rest = TimeAmount.milliseconds(200)

    private let observer: any ConnectionObserver
    private let isReserveTouched: () -> Bool
    private var isResting = false

    /// - Parameter isReserveTouched: returns whether so few descriptors are left that connections must not take any more.
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
            // This fails if the socket was closed meanwhile. Then there is nothing to accept any more.
            try? context.channel.syncOptions?.setOption(.autoRead, value: true)
        }
    }
}

/// The file descriptors that connections must leave to the rest of the process, for its stores, files and calls to the App Store.
///
/// A reserve is also needed for libdispatch, whose threads run Swift's tasks. It opens a file below `/proc/self/task` every
/// second, and ends the process if it cannot.
enum DescriptorReserve {
    private static let size: rlim_t = 32

    /// Whether so few descriptors are left that no more connections should be accepted.
    ///
    /// The limit and the number of open files can change at any time, so both are checked for each connection. That takes about a
    /// microsecond.
    static var isTouched: Bool {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return false }
        // The system gives a new descriptor the lowest free number, so all numbers below are in use.
        let next = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard next >= 0 else { return true }
        close(next)
        return rlim_t(next) + size > limit.rlim_cur
    }
}

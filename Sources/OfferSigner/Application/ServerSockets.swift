import Glibc
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import OfferService
import OfferSigning
import ServiceLifecycle
import Synchronization

/// The TLS files in force. When the files change, they are read again, and new connections use the new certificate.
final class CertificateWatch: Service, MetricSource {
    private struct State {
        var tls: ServerTLS
        /// The version of the files that were read last, or that were found unusable twice and are not tried again.
        var version: [FileVersion?]
        /// The version of files that could not be used at the last look and are tried once more; nil if there are none.
        var doubtful: [FileVersion?]?
        /// Whether the present files cannot be used.
        var isFaulty = false
    }

    private let files: ServiceConfiguration.TLS
    private let interval: Duration
    private let system: SystemEnvironment
    private let logger: Logger
    private let state: Mutex<State>

    /// Throws if the files cannot be used at the start.
    init(
        _ files: ServiceConfiguration.TLS,
        interval: Duration = .seconds(1),
        system: SystemEnvironment,
        logger: Logger
    ) throws {
        self.files = files
        self.interval = interval
        self.system = system
        self.logger = logger
        let version = Self.version(of: files)
        state = Mutex(State(tls: try ServerTLS(files), version: version))
    }

    /// Returns the context of new connections.
    @Sendable func context() -> NIOSSLContext { state.withLock(\.tls.context) }

    /// Checks the files until the service stops.
    func run() async throws {
        await system.rounds(after: interval) { self.lookOnce() }
    }

    /// Takes changed files over. If they cannot be used, the earlier ones stay in force.
    ///
    /// Unusable files are tried again at the next look, because an operator may be about to replace the second file of a pair.
    /// After that, they are tried again only when they change.
    func lookOnce() {
        let version = Self.version(of: files)
        let (known, doubtful) = state.withLock { ($0.version, $0.doubtful) }
        guard version != known else { return }
        do {
            let tls = try ServerTLS(files)
            state.withLock { $0 = State(tls: tls, version: version) }
            logger.notice("the TLS certificate was read again", metadata: ["file": "\(files.certificate)"])
        } catch {
            guard version == doubtful else { return state.withLock { $0.doubtful = version } }
            state.withLock { state in
                state.version = version
                state.doubtful = nil
                state.isFaulty = true
            }
            logger.error("the TLS certificate cannot be read again; the old one stays", metadata: ["reason": "\(error)"])
        }
    }

    /// Returns when the first certificate of the chain expires, and whether the present files cannot be used.
    func samples() -> [MetricSample] {
        let (expiry, isFaulty) = state.withLock { ($0.tls.expiry, $0.isFaulty) }
        return (expiry.map { [MetricSample(name: "offersigner_tls_certificate_expiry_timestamp_seconds", value: $0)] } ?? [])
            + [MetricSample(name: "offersigner_tls_file_faults", value: isFaulty ? 1 : 0)]
    }

    private static func version(of files: ServiceConfiguration.TLS) -> [FileVersion?] {
        [files.certificate, files.privateKey, files.clients?.roots].compactMap(\.self).map { FileVersion(path: $0) }
    }
}

/// Makes an event loop look at its sockets before a queue begins its next turn.
///
/// A task or a timer cannot do this, because NIO first runs all that were added while others ran, and only then looks at the
/// sockets. So the queue writes a byte into a pipe, and its next turn begins when the loop has read the byte.
final class SocketTurn: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let queue: FairQueue
    private let writeEnd: CInt

    private init(_ queue: FairQueue, writeEnd: CInt) {
        self.queue = queue
        self.writeEnd = writeEnd
    }

    /// Opens a pipe for the queue of each loop. It is closed with the loop.
    static func open(for lanes: StoreLanes, of group: any EventLoopGroup) async throws {
        for eventLoop in group.makeIterator() {
            var ends: [CInt] = [0, 0]
            guard pipe(&ends) == 0 else { throw IOError(errnoCode: errno, reason: "pipe") }
            let (readEnd, writeEnd) = (ends[0], ends[1])
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            _ = fcntl(writeEnd, F_SETFL, O_NONBLOCK)
            _ = try await NIOPipeBootstrap(group: eventLoop).channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let queue = lanes.lane(of: channel.eventLoop).queue
                    try channel.pipeline.syncOperations.addHandler(SocketTurn(queue, writeEnd: writeEnd))
                }
            }.takingOwnershipOfDescriptor(input: readEnd).get()
        }
    }

    func channelActive(context: ChannelHandlerContext) {
        queue.requestTurn = { [writeEnd] in
            var byte: UInt8 = 0
            // If the pipe is full, the loop is going to read it anyway.
            return write(writeEnd, &byte, 1) == 1 || errno == EAGAIN
        }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // The turn begins after the sockets that became ready together with the pipe were read, so that it has their requests.
        let queue = NIOLoopBound(queue, eventLoop: context.eventLoop)
        context.eventLoop.execute { queue.value.beginTurn() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        queue.requestTurn = nil
        Glibc.close(writeEnd)
        // The queue may have asked for a turn that this pipe can no longer bring.
        queue.beginTurn()
        context.fireChannelInactive()
    }
}

import Glibc
import NIOCore
import NIOPosix
import OfferService

/// Has an event loop look at its sockets before a queue goes on.
///
/// Neither a task nor a timer would: NIO runs those that come while others run before it looks. So the next turn comes by a pipe.
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
            // A pipe that is full is read anyway.
            return write(writeEnd, &byte, 1) == 1 || errno == EAGAIN
        }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // After the sockets that are ready with the pipe: what they bring joins this turn.
        let queue = NIOLoopBound(queue, eventLoop: context.eventLoop)
        context.eventLoop.execute { queue.value.beginTurn() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        queue.requestTurn = nil
        Glibc.close(writeEnd)
        // The turn that this pipe owes.
        queue.beginTurn()
        context.fireChannelInactive()
    }
}

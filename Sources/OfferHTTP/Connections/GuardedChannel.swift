import HummingbirdCore
import Logging
import NIOCore
import OfferService

/// A connection that is admitted only while the limit has room for it.
///
/// The limit is checked before anything is read, even before the TLS handshake.
struct GuardedChannel<Base: ServerChildChannel>: ServerChildChannel {
    // Read buffers are small. Requests are small, too, and many clients that send at the same time must not take much memory.
    private static var maxReadSize: Int { 16 * 1024 }

    let base: Base
    let limit: ConnectionLimit
    let observer: any ConnectionObserver

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        let address = PeerAddress(channel.remoteAddress)
        if let refusal = limit.enter(address) {
            observer.didRefuseConnection(refusal)
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
        }
        observer.didOpenConnection()
        channel.closeFuture.whenComplete { [limit, observer] _ in
            limit.leave(address)
            observer.didCloseConnection()
        }
        do {
            let options = channel.syncOptions
            try options?.setOption(.maxMessagesPerRead, value: 1)
            try options?.setOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 2048, maximum: Self.maxReadSize))
        } catch {
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(error)
        }
        return base.setup(channel: channel, logger: logger)
    }

    func handle(value: Base.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}

import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// A connection inside TLS, with the TLS context in force when it arrives.
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

import Glibc
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import OfferHTTP

@Suite("Accepting connections")
struct AcceptPauseTests {
    private final class RecordingObserver: ConnectionObserver {
        private let state = Mutex<[String]>([])

        var failures: [String] { state.withLock { $0 } }

        func didOpenConnection() {}
        func didCloseConnection() {}
        func didRefuseConnection(_ refusal: ConnectionLimit.Refusal) {}
        func didFailToAccept(_ reason: String) { state.withLock { $0.append(reason) } }
    }

    private let observer = RecordingObserver()

    /// What was last asked for; a channel reads by itself until this says otherwise.
    private func accepts(_ channel: EmbeddedChannel) -> Bool {
        channel.options.last { $0.option is ChannelOptions.Types.AutoReadOption }?.value as? Bool ?? true
    }

    @Test("A connection that takes one of the last descriptors is kept; the next ones wait until some are free")
    func reserve() throws {
        var isTouched = false
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(AcceptPause(observer: observer) { isTouched })
        try channel.writeInbound(EmbeddedChannel() as any Channel)
        #expect(accepts(channel))
        isTouched = true
        try channel.writeInbound(EmbeddedChannel() as any Channel)
        #expect(!accepts(channel))
        // One that was accepted in the same turn is kept, too, and changes nothing.
        try channel.writeInbound(EmbeddedChannel() as any Channel)
        #expect(observer.failures == ["Too many open files"])
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(200))
        #expect(!accepts(channel))
        #expect(observer.failures.count == 2)
        isTouched = false
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(200))
        #expect(accepts(channel))
        #expect(observer.failures.count == 2)
        var kept = 0
        while try channel.readInbound(as: (any Channel).self) != nil { kept += 1 }
        #expect(kept == 3)
    }

    @Test("A failed attempt is reported with the system's reason, and followed by a rest")
    func failure() throws {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(AcceptPause(observer: observer) { false })
        channel.pipeline.fireErrorCaught(IOError(errnoCode: ENOBUFS, reason: "accept"))
        #expect(!accepts(channel))
        #expect(observer.failures == ["No buffer space available"])
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(200))
        #expect(accepts(channel))
        #expect(throws: IOError.self) { try channel.throwIfErrorCaught() }
    }
}

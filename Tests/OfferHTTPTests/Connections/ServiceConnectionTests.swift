import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Synchronization
import Testing

@testable import OfferHTTP

/// Without its last words such a connection ends the process, here that of the tests.
@Suite("A connection that no handler takes over, as the service is ending")
struct ServiceConnectionTests {
    private typealias Connection = ConnectionFixture

    private static let elsewhere = "GET /elsewhere HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test("It stays open when it is let go of, and tells its handlers")
    func letGo() async throws {
        let channel = NIOAsyncTestingChannel()
        let observer = RecordingObserver()
        try await channel.testingEventLoop.executeInContext {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(observer)
            var wrapped: ServiceConnection? = ServiceConnection(
                try NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>(wrappingChannelSynchronously: channel))
            // From here on NIO holds what it gave out no longer.
            pipeline.fireChannelActive()
            #expect(wrapped?.channel === channel)
            wrapped = nil
            #expect(observer.count == 1)
        }
        // Fails for one that is closed already.
        try await channel.close()
    }

    @Test("Its requests to the API are answered, before and after")
    func answered() throws {
        let connection = try Connection()
        try connection.receive(Connection.hold("one"))
        abandon(connection)
        connection.held.answer("first")
        try connection.receive(Connection.look)
        #expect(try connection.bodies() == ["first", Connection.alive])
        #expect(connection.channel.isActive)
    }

    @Test(
        "What another process would answer must be sent again, whether it came before or comes after", arguments: [true, false])
    func passedOn(isBefore: Bool) throws {
        let connection = try Connection()
        if isBefore { try connection.receive(Self.elsewhere) }
        #expect(try connection.sent().isEmpty)
        abandon(connection)
        if !isBefore { try connection.receive(Self.elsewhere) }
        let sent = try connection.sent()
        #expect(sent.hasPrefix("HTTP/1.1 503 ") && sent.contains("the service is stopping"))
        #expect(sent.contains("Connection: close\r\n"))
        connection.pass(.seconds(1))
        #expect(!connection.channel.isActive)
    }

    private func abandon(_ connection: Connection) {
        connection.channel.pipeline.fireUserInboundEventTriggered(ServiceConnection.AbandonedEvent())
    }

    /// Counts how often the connection was said to be abandoned.
    private final class RecordingObserver: ChannelInboundHandler, Sendable {
        typealias InboundIn = Any

        private let events = Atomic(0)

        var count: Int { events.load(ordering: .relaxed) }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event is ServiceConnection.AbandonedEvent { events.add(1, ordering: .relaxed) }
        }
    }
}

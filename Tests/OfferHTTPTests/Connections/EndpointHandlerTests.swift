import Foundation
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import OfferHTTP
@testable import OfferService

@Suite("A connection")
struct EndpointHandlerTests {
    private typealias Connection = ConnectionFixture

    @Test("Requests that come together are answered in their order, one at a time")
    func pipelining() throws {
        let connection = try Connection()
        try connection.receive(Connection.look + Connection.hold("one") + Connection.hold("two") + Connection.look)
        #expect(try connection.bodies() == [Connection.alive])
        #expect(connection.held.count == 1)
        // However slow the machine is: a turn of the loop is short by the loop's own time.
        Thread.sleep(forTimeInterval: 0.01)
        connection.held.answer("first")
        #expect(try connection.bodies() == ["first"])
        #expect(connection.held.count == 1)
        connection.held.answer("second")
        #expect(try connection.bodies() == ["second", Connection.alive])
        #expect(connection.observer.statuses == [200, 200, 200, 200])
        #expect(connection.channel.isActive)
    }

    @Test("A request that comes byte by byte is answered as one that comes whole")
    func dribble() throws {
        let connection = try Connection()
        for character in Connection.hold("one") { try connection.receive(String(character)) }
        connection.held.answer("first")
        #expect(try connection.bodies() == ["first"])
    }

    @Test(
        "The connection stays open as the version and the client say",
        arguments: [
            ("1.1", "", true), ("1.1", "Connection: close\r\n", false), ("1.0", "", false),
            ("1.0", "Connection: keep-alive\r\n", true),
        ])
    func keepAlive(version: String, header: String, staysOpen: Bool) throws {
        let connection = try Connection()
        try connection.receive("GET /livez HTTP/\(version)\r\nHost: a\r\n\(header)\r\n")
        let answer = try connection.sent()
        #expect(answer.contains("Connection: close\r\n") == !staysOpen)
        #expect(connection.channel.isActive == staysOpen)
    }

    @Test("Who half-closes gets every answer, then the end")
    func halfClosure() throws {
        let connection = try Connection()
        try connection.receive(Connection.hold() + Connection.hold())
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(connection.channel.isActive)
        connection.held.answer("first")
        #expect(connection.channel.isActive)
        connection.held.answer("second")
        #expect(try connection.bodies() == ["first", "second"])
        #expect(!connection.channel.isActive)
    }

    @Test("What came whole before broken bytes is answered; they get an error, and the connection ends")
    func brokenBytes() throws {
        let connection = try Connection()
        try connection.receive(Connection.hold())
        try connection.receive("\u{1}\u{2} no HTTP\r\n\r\n")
        connection.held.answer("first")
        let sent = try connection.sent()
        #expect(sent.contains("first") && sent.contains("HTTP/1.1 400") && sent.contains("malformed-request"))
        connection.pass(.seconds(1))
        #expect(!connection.channel.isActive)
    }

    @Test("A body that is too large is refused before it is read")
    func largeBody() throws {
        let connection = try Connection()
        try connection.receive("POST /held HTTP/1.1\r\nHost: a\r\nContent-Length: 17\r\n\r\n")
        #expect(try connection.sent().contains("HTTP/1.1 413"))
        #expect(connection.held.count == 0)
    }

    @Test("What grows too large while it comes is refused, and what follows is not carried out")
    func growingBody() throws {
        let connection = try Connection()
        try connection.receive("POST /held HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in 0..<3 { try connection.receive("8\r\n01234567\r\n") }
        try connection.receive("0\r\n\r\n" + Connection.hold())
        #expect(try connection.sent().contains("HTTP/1.1 413"))
        #expect(connection.held.count == 0)
        #expect(!connection.channel.isActive)
    }

    @Test("Draining closes a silent connection after a moment, and one with half a request after two and a half seconds")
    func draining() throws {
        let (silent, half) = (try Connection(), try Connection())
        try half.receive("POST /held HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\no")
        for connection in [silent, half] {
            connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
            connection.pass(.milliseconds(399))
            #expect(connection.channel.isActive)
            connection.pass(.milliseconds(1))
        }
        #expect(!silent.channel.isActive)
        #expect(half.channel.isActive)
        half.pass(.milliseconds(2100))
        #expect(!half.channel.isActive)
    }

    @Test("Draining waits for an answer, however long it takes, and says that it is the last")
    func drainingAnswers() throws {
        let connection = try Connection()
        try connection.receive(Connection.hold())
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        connection.pass(.minutes(1))
        #expect(connection.channel.isActive)
        connection.held.answer("last")
        #expect(try connection.sent().contains("Connection: close\r\n\r\nlast"))
        #expect(!connection.channel.isActive)
    }

    @Test("Who does not read answers is not worked for")
    func writability() throws {
        let connection = try Connection()
        connection.channel.isWritable = false
        try connection.receive(Connection.look + Connection.hold())
        #expect(try connection.sent().isEmpty)
        #expect(connection.held.count == 0)
        connection.channel.isWritable = true
        connection.channel.pipeline.fireChannelWritabilityChanged()
        #expect(try connection.bodies() == [Connection.alive])
        #expect(connection.held.count == 1)
    }

    @Test("Other paths go further down, and what follows waits for their answer")
    func passingOn() throws {
        let connection = try Connection()
        try connection.receive("GET /docs HTTP/1.1\r\nHost: a\r\n\r\n" + Connection.look)
        guard case .head(let head)? = try connection.channel.readInbound(as: HTTPServerRequestPart.self) else {
            Issue.record("nothing was passed on")
            return
        }
        #expect(head.uri == "/docs")
        #expect(try connection.sent().isEmpty)
        let headers: HTTPHeaders = ["Content-Length": "4"]
        try connection.channel.writeOutbound(
            HTTPServerResponsePart.head(HTTPResponseHead(version: .http1_1, status: .ok, headers: headers)))
        try connection.channel.writeOutbound(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: "docs"))))
        #expect(try connection.bodies() == ["docs"])
        try connection.channel.writeOutbound(HTTPServerResponsePart.end(nil))
        #expect(try connection.bodies() == [Connection.alive])
    }

    @Test("A connection that is gone takes no answer, and nothing fails")
    func gone() throws {
        let connection = try Connection()
        try connection.receive(Connection.hold())
        try connection.channel.close().wait()
        connection.channel.embeddedEventLoop.run()
        connection.held.answer("no reader")
        #expect(try connection.sent().isEmpty)
        #expect(connection.observer.statuses == [200])
    }
}

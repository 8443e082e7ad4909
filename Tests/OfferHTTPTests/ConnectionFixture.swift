import Foundation
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Synchronization

@testable import OfferHTTP
@testable import OfferService

/// One connection in memory, on an event loop whose time the test moves: bytes in, bytes out.
///
/// Its operations are `GET /livez`, and `POST /held`, which answers when the test says so.
final class ConnectionFixture {
    let channel: EmbeddedChannel
    let held = HeldEndpoint()
    let observer = RecordingObserver()

    init() throws { channel = try EmbeddedConnection([LivenessController(), held], observer: observer).channel }

    /// What comes in at once.
    func receive(_ text: String) throws {
        // An error of the pipeline is the handler's to deal with; the test looks at what it made of it.
        do { try channel.writeInbound(ByteBuffer(string: text)) } catch is HTTPParserError {}
    }

    /// What has gone out since the last look.
    func sent() throws -> String {
        var text = ""
        while let bytes = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: bytes) }
        return text
    }

    /// The bodies of the answers that have gone out since the last look.
    func bodies() throws -> [String] {
        try sent().components(separatedBy: "HTTP/1.1 ").dropFirst().map { answer in
            answer.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n")
        }
    }

    func pass(_ time: TimeAmount) { channel.embeddedEventLoop.advanceTime(by: time) }

    static let alive = #"{"alive":true}"#
    static let look = "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n"

    static func hold(_ body: String = "") -> String {
        "POST /held HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// Keeps what it is asked until the test answers.
    final class HeldEndpoint: Endpoint {
        let operation = Operation.test("/held")
        let app = AppScope.none
        let readsJSON = false
        // Unsafe: the test and its event loop are one thread.
        nonisolated(unsafe) private var exchanges: [Exchange] = []

        var count: Int { exchanges.count }

        func respond(to exchange: Exchange) { exchanges.append(exchange) }

        /// Answers the one that has waited longest.
        func answer(_ text: String) {
            exchanges.removeFirst().reply(.success(Answer(status: .ok, body: Array(text.utf8))))
        }
    }

    /// Every finished request's status.
    final class RecordingObserver: RequestObserver {
        private let state = Mutex<[UInt]>([])

        var statuses: [UInt] { state.withLock { $0 } }

        func didFinish(_ record: RequestSummary) { state.withLock { $0.append(UInt(record.status)) } }
    }
}

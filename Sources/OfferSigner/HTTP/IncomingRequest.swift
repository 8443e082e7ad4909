import NIOCore
import NIOHTTP1

/// A request for one of the API's operations whose body is coming in.
///
/// A class: the state that holds it is copied at every turn.
final class IncomingRequest {
    let head: HTTPRequestHead
    let fields: RequestHead
    let match: EndpointDirectory.Match
    let requestID: String
    private let start: NIODeadline
    private(set) var body: ByteBuffer?

    init(head: HTTPRequestHead, fields: RequestHead, match: EndpointDirectory.Match, start: NIODeadline) {
        self.head = head
        self.match = match
        self.start = start
        self.fields = fields
        requestID = fields.requestID ?? RequestID.make()
    }

    /// Whether its body is, or says that it is, larger than the operation takes.
    var isTooLarge: Bool { (body?.readableBytes ?? fields.contentLength ?? 0) > match.endpoint.largestBody }

    /// Whether the client wants the connection closed behind the answer.
    var isLast: Bool { !head.isKeepAlive || fields.asksForUpgrade }

    /// Takes the next part of the body.
    func append(_ bytes: ByteBuffer) { body.setOrWriteImmutableBuffer(bytes) }

    /// What is remembered of it once it is answered.
    func record(status: UInt, caller: Caller?, problem: Problem?) -> RequestRecord {
        RequestRecord(
            requestID: requestID,
            method: head.method.rawValue,
            route: match.endpoint.path,
            status: status,
            caller: caller?.id,
            problem: problem?.code,
            reason: problem?.cause,
            duration: .now() - start,
            failure: problem?.failure
        )
    }
}

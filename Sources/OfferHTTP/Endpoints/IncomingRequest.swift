import NIOCore
import NIOHTTP1
import OfferService

/// A request for one of the API's operations whose body is coming in.
///
/// A class: the state that holds it is copied at every turn.
final class IncomingRequest {
    // So much of a refused body is waited for, to keep the connection.
    private static let shortBody = 64 * 1024

    let head: HTTPRequestHead
    let fields: RequestHead
    let match: EndpointDirectory.Match
    let requestID: String
    /// The client's; nil for one that has gone already.
    let address: String?
    /// Who was let in, once that is settled.
    var admission: Gate.Admission?
    private let start: NIODeadline
    private var share: BodyShare
    private(set) var body: ByteBuffer?

    init(
        head: HTTPRequestHead,
        fields: RequestHead,
        match: EndpointDirectory.Match,
        address: String?,
        start: NIODeadline,
        budget: BodyBudget
    ) {
        self.head = head
        self.match = match
        self.address = address
        self.start = start
        self.fields = fields
        share = BodyShare(of: budget, isStranger: match.endpoint.access.isOpen)
        requestID = fields.requestID ?? RequestID.make()
    }

    /// Whether its sender needs no access key.
    var isStranger: Bool { match.endpoint.access.isOpen }
    /// Whether it waits for its caller's turn. What asks whether the process is alive does not.
    var takesTurns: Bool { match.endpoint.method == .post }

    /// Whether it has a body that the operation does not read.
    var throwsBodyAway: Bool { match.endpoint.maxBodySize == 0 }

    /// Whether its body is, or says that it is, larger than the operation takes.
    var isTooLarge: Bool {
        !throwsBodyAway && (body?.readableBytes ?? fields.contentLength ?? 0) > match.endpoint.maxBodySize
    }

    /// Takes what the body that it announces will need of the budget; false if there is not so much left.
    func reserve() -> Bool { throwsBodyAway || share.grow(to: fields.contentLength ?? 0) }

    /// Whether its body does not say that it is long.
    var isShort: Bool { fields.contentLength ?? 0 <= IncomingRequest.shortBody }

    /// Whether the client wants the connection closed behind the answer.
    var isLast: Bool { !head.isKeepAlive || fields.asksForUpgrade }

    /// Takes the next part of the body; false if the budget has no room for it.
    func append(_ bytes: ByteBuffer) -> Bool {
        guard share.grow(to: (body?.readableBytes ?? 0) + bytes.readableBytes) else { return false }
        body.setOrWriteImmutableBuffer(bytes)
        return true
    }

    /// What is remembered of it once it is answered.
    func summary(status: UInt, caller: Caller?, problem: Problem?) -> RequestSummary {
        RequestSummary(
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

import NIOCore
import NIOHTTP1
import OfferService

/// A request for one of the API's operations whose body is arriving.
///
/// It is a class, because the connection's state, which holds it, is copied at every step.
final class IncomingRequest {
    // A refused body of up to this many bytes is read and discarded, so that the connection can be kept.
    private static let shortBody = 64 * 1024

    let head: HTTPRequestHead
    let fields: RequestHead
    let match: EndpointDirectory.Match
    let requestID: String
    /// The client's address; nil if the client had already gone.
    let address: String?
    /// The admission, once it is decided.
    var admission: Gate.Admission?
    private let start: NIODeadline
    private var share: BodyShare
    // Judged by what has arrived. If an announced length counted, any client could have the heap trimmed at no cost to itself.
    private var isLarge = false
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
        share = BodyShare(of: budget, isUnauthenticated: match.operation.access.isOpen)
        requestID = fields.requestID ?? RequestID.make()
    }

    deinit { if isLarge { HeapTrim.plan() } }

    /// Whether the operation needs no access key.
    var isUnauthenticated: Bool { match.operation.access.isOpen }
    /// Whether the request waits in a queue for its caller's turn.
    ///
    /// A `GET`, which is a probe of the process, does not.
    var isQueued: Bool { match.operation.endpointMethod == .post }

    /// Returns the name of the queue in which the request waits.
    ///
    /// There is one queue for each access key, one for all end users together, and one for each operation that needs no access
    /// key.
    func queueName(of caller: Caller) -> String {
        if isUnauthenticated { return match.operation.path }
        return caller.endUser == nil ? caller.id : "end users"
    }

    /// Whether the body is discarded, because the operation reads none.
    var throwsBodyAway: Bool { match.operation.bodySize == 0 }

    /// Whether the body, by its length so far or as announced, is larger than the operation accepts.
    var isTooLarge: Bool {
        !throwsBodyAway && (body?.readableBytes ?? fields.contentLength ?? 0) > match.operation.bodySize
    }

    /// Reserves room for the announced body.
    ///
    /// Returns false if the budget has too little.
    func reserve() -> Bool { throwsBodyAway || share.grow(to: fields.contentLength ?? 0) }

    /// Whether the announced body is short.
    ///
    /// A body of unannounced length counts as short, too.
    var isShort: Bool { fields.contentLength ?? 0 <= IncomingRequest.shortBody }

    /// Whether the client wants the connection closed after the answer.
    var isLast: Bool { !head.isKeepAlive || fields.asksForUpgrade }

    /// Appends the next part of the body.
    ///
    /// Returns false if the budget has no room for it.
    func append(_ bytes: ByteBuffer) -> Bool {
        guard share.grow(to: (body?.readableBytes ?? 0) + bytes.readableBytes) else { return false }
        body.setOrWriteImmutableBuffer(bytes)
        isLarge = (body?.readableBytes ?? 0) > BodySize.usual
        return true
    }

    /// Returns the body, and forgets it here.
    ///
    /// Its room in the budget stays taken until the request is answered.
    func takeBody() -> ByteBuffer {
        defer { body = nil }
        return body ?? ByteBuffer()
    }

    /// Returns the body's room to the budget.
    ///
    /// Called when the request is answered, because the client's next request may need it.
    func giveRoomBack() { share.giveBack() }

    /// Returns the summary of the answered request.
    func summary(status: UInt, caller: Caller?, problem: Problem?) -> RequestSummary {
        RequestSummary(
            requestID: requestID,
            method: head.method.rawValue,
            route: match.operation.path,
            status: status,
            caller: caller?.id,
            problem: problem?.code,
            reason: problem?.cause,
            duration: .now() - start,
            failure: problem?.failure
        )
    }
}

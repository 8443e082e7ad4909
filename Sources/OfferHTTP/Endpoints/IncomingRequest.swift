import NIOCore
import NIOHTTP1
import OfferService

/// A request for one of the API's operations whose body is arriving.
///
/// It is a class, because it is a part of the connection's state, which is copied at every step.
final class IncomingRequest {
    // If a request is refused, a body of up to this many bytes is read and discarded, so that the connection can be kept.
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
    // Whether the body is so large that its memory is returned to the system afterwards. Only bytes that have arrived count. If
    // an announced length counted, any client could cause that work at no cost to itself.
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
    /// A `GET` does not wait, because it is a probe of the process.
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

    /// Whether the body is larger than the operation accepts, either as announced or as received so far.
    var isTooLarge: Bool {
        !throwsBodyAway && (body?.readableBytes ?? fields.contentLength ?? 0) > match.operation.bodySize
    }

    /// Reserves room for the announced body.
    ///
    /// Returns false if the memory budget has too little left.
    func reserve() -> Bool { throwsBodyAway || share.grow(to: fields.contentLength ?? 0) }

    /// Whether the announced body is short.
    ///
    /// A body whose length is not announced counts as short, too.
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
    /// The body still counts in the memory budget until the request is answered.
    func takeBody() -> ByteBuffer {
        defer { body = nil }
        return body ?? ByteBuffer()
    }

    /// Gives the room that the body has taken back to the memory budget.
    ///
    /// It is called when the request is answered, because the client's next request may need the room.
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

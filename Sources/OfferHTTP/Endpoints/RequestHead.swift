import NIOHTTP1

/// The values of those headers that the service reads. All of them are collected in one pass over the headers.
struct RequestHead {
    // If a header occurs twice, its values are joined into a list, which is not a valid token or key. The service must not choose
    // one of the values, because a proxy in front of it might have checked the other one.
    var authorization: String?
    var idempotencyKey: String?
    var requestID: String?
    var contentLength: Int?
    /// Whether `Content-Length` is absent, or is a number that the service can represent.
    var isLengthPossible = true
    private var asksToContinue = false
    private let mayContinue: Bool
    /// Whether the body has no transfer coding, or only the coding `chunked`.
    var isCodingKnown = true
    private var hosts = 0
    /// Whether the request asks for an upgrade.
    ///
    /// NIO parses nothing after such a request, even if no upgrade takes place.
    var asksForUpgrade = false

    init(_ head: HTTPRequestHead) {
        mayContinue = head.version != .http1_0
        for (name, value) in head.headers {
            switch name.utf8.count {
            case 13 where RequestHead.isEqual(name.utf8, "authorization"): authorization = RequestHead.list(authorization, value)
            case 15 where RequestHead.isEqual(name.utf8, "idempotency-key"):
                idempotencyKey = RequestHead.list(idempotencyKey, value)
            case 12 where RequestHead.isEqual(name.utf8, "x-request-id"): requestID = RequestID.accepted(value)
            case 14 where RequestHead.isEqual(name.utf8, "content-length"):
                contentLength = Int(value)
                isLengthPossible = contentLength != nil
            case 7 where RequestHead.isEqual(name.utf8, "upgrade"): asksForUpgrade = true
            case 4 where RequestHead.isEqual(name.utf8, "host"): hosts += 1
            case 6 where RequestHead.isEqual(name.utf8, "expect"): asksToContinue = value.lowercased() == "100-continue"
            case 17 where RequestHead.isEqual(name.utf8, "transfer-encoding"):
                isCodingKnown = isCodingKnown && value.utf8.count == 7 && RequestHead.isEqual(value.utf8, "chunked")
            default: break
            }
        }
    }

    /// Whether the client waits for `100 Continue` before it sends the body.
    ///
    /// It is false for HTTP/1.0, which does not have this answer.
    var expectsContinue: Bool { asksToContinue && mayContinue }

    /// Whether the request names its host once, as HTTP/1.1 requires (RFC 9112).
    func namesHost(_ version: HTTPVersion) -> Bool { hosts == 1 || (hosts == 0 && version == .http1_0) }

    /// The token of `Authorization: Bearer`; nil for another scheme.
    var bearerToken: Substring? { authorization.flatMap(RequestHead.bearerToken) }

    /// Returns the token of `Authorization: Bearer`; nil for another scheme.
    static func bearerToken(_ authorization: String) -> Substring? {
        // Bytes are compared, because comparing characters would take a microsecond.
        let bytes = authorization.utf8
        guard bytes.count > 7, isEqual(bytes.prefix(7), "bearer ") else { return nil }
        return Substring(bytes.dropFirst(7))
    }

    private static func list(_ first: String?, _ next: String) -> String { first.map { "\($0), \(next)" } ?? next }

    /// - Parameter text: the bytes to compare; there must be as many as `lowerCase` has.
    private static func isEqual(_ text: some Sequence<UInt8>, _ lowerCase: StaticString) -> Bool {
        // The bytes are read in place, because iterating over a string takes ten times as long.
        func isEqual(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
            for (index, byte) in bytes.enumerated() {
                let letter = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
                guard letter == lowerCase.utf8Start[index] else { return false }
            }
            return true
        }
        return text.withContiguousStorageIfAvailable(isEqual) ?? Array(text).withUnsafeBufferPointer(isEqual)
    }
}

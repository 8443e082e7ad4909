import NIOHTTP1

/// The headers that the service reads, gathered in one pass.
struct RequestHead {
    // A repeated header is joined into a list, which is no valid token or key. If the service read one of the values, a proxy in
    // front of it might have checked another one.
    var authorization: String?
    var idempotencyKey: String?
    var requestID: String?
    var contentLength: Int?
    /// Whether `Content-Length` is a number that the service can represent, or is absent.
    var isLengthPossible = true
    private var asksToContinue = false
    private let mayContinue: Bool
    /// Whether the transfer coding of the body, if any, is `chunked` and nothing else.
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
    /// HTTP/1.0 does not have that answer.
    var expectsContinue: Bool { asksToContinue && mayContinue }

    /// Whether the request names its host once, as HTTP/1.1 requires (RFC 9112).
    func namesHost(_ version: HTTPVersion) -> Bool { hosts == 1 || (hosts == 0 && version == .http1_0) }

    /// The token of `Authorization: Bearer`; nil for another scheme.
    var bearerToken: Substring? { authorization.flatMap(RequestHead.bearerToken) }

    /// Returns the token of `Authorization: Bearer`; nil for another scheme.
    static func bearerToken(_ authorization: String) -> Substring? {
        // Compares bytes, because comparing characters takes a microsecond.
        let bytes = authorization.utf8
        guard bytes.count > 7, isEqual(bytes.prefix(7), "bearer ") else { return nil }
        return Substring(bytes.dropFirst(7))
    }

    private static func list(_ first: String?, _ next: String) -> String { first.map { "\($0), \(next)" } ?? next }

    /// - Parameter text: the bytes to compare; there must be as many as `lowerCase` has.
    private static func isEqual(_ text: some Sequence<UInt8>, _ lowerCase: StaticString) -> Bool {
        // Reads the bytes in place, because iterating over a string costs ten times as much.
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

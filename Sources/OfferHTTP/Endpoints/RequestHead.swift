import NIOHTTP1

/// The headers that the service looks at, gathered in one pass.
struct RequestHead {
    // Several of either are put together as one list, which is no token and no key: proxies may judge by another one than we do.
    var authorization: String?
    var idempotencyKey: String?
    var requestID: String?
    var contentLength: Int?
    /// Whether the length that it says is one that anything could have.
    var isLengthPossible = true
    private var asksToContinue = false
    private let mayContinue: Bool
    /// Whether the body's form, if it has one of its own, is `chunked` and nothing else.
    var isCodingKnown = true
    private var hosts = 0
    /// NIO stops parsing behind such a request, whether or not anybody upgrades.
    var asksForUpgrade = false

    init(_ head: HTTPRequestHead) {
        mayContinue = head.version != .http1_0
        for (name, value) in head.headers {
            switch name.utf8.count {
            case 13 where RequestHead.isEqual(name, "authorization"): authorization = RequestHead.list(authorization, value)
            case 15 where RequestHead.isEqual(name, "idempotency-key"):
                idempotencyKey = RequestHead.list(idempotencyKey, value)
            case 12 where RequestHead.isEqual(name, "x-request-id"): requestID = RequestID.accepted(value)
            case 14 where RequestHead.isEqual(name, "content-length"):
                contentLength = Int(value)
                isLengthPossible = contentLength != nil
            case 7 where RequestHead.isEqual(name, "upgrade"): asksForUpgrade = true
            case 4 where RequestHead.isEqual(name, "host"): hosts += 1
            case 6 where RequestHead.isEqual(name, "expect"): asksToContinue = value.lowercased() == "100-continue"
            case 17 where RequestHead.isEqual(name, "transfer-encoding"):
                isCodingKnown = isCodingKnown && value.utf8.count == 7 && RequestHead.isEqual(value, "chunked")
            default: break
            }
        }
    }

    /// Whether the client waits to be told to send the body, which HTTP/1.0 does not know.
    var expectsContinue: Bool { asksToContinue && mayContinue }

    /// Whether it says once which host it is for, as HTTP/1.1 must (RFC 9112).
    func namesHost(_ version: HTTPVersion) -> Bool { hosts == 1 || (hosts == 0 && version == .http1_0) }

    /// The token of `Authorization: Bearer`; nil for another scheme.
    var bearerToken: Substring? { authorization.flatMap(RequestHead.bearerToken) }

    /// The token of `Authorization: Bearer`; nil for another scheme.
    static func bearerToken(_ authorization: String) -> Substring? {
        guard authorization.utf8.count > 7, isEqual(authorization.prefix(7), "bearer ") else { return nil }
        return authorization.dropFirst(7)
    }

    private static func list(_ first: String?, _ next: String) -> String { first.map { "\($0), \(next)" } ?? next }

    private static func isEqual(_ text: some StringProtocol, _ lowerCase: StaticString) -> Bool {
        var index = 0
        for byte in text.utf8 {
            let letter = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
            guard letter == lowerCase.utf8Start[index] else { return false }
            index += 1
        }
        return true
    }
}

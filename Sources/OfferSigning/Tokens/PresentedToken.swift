import WireText

/// A JSON Web Token (RFC 7519) as it was presented: parsed, but not verified.
package struct PresentedToken: Sendable {
    /// The longest text that is accepted, in bytes.
    package static let maxSize = 8192
    // The accepted values of the header `typ`. Tokens that are made for another purpose have another type (RFC 8725, 3.11).
    private static let types: Set<String> = ["jwt", "at+jwt", "application/jwt", "application/at+jwt"]
    private static let maxClaims = 200

    /// The key id in the header (`kid`); nil if the header has none.
    package let keyID: String?
    /// The algorithm in the header (`alg`).
    package let algorithm: TokenAlgorithm
    /// The payload, which is a JSON object.
    let payload: JSONValue
    private let signed: [UInt8]
    private let signature: [UInt8]

    /// Whether a text may be a token: it has three parts with full stops between them, and is not too long.
    package static func isPossible(_ text: Substring) -> Bool {
        text.utf8.count <= maxSize && text.utf8.count(where: { $0 == UInt8(ascii: ".") }) == 2
            && Base64.isDottedURLSafe(Array(text.utf8))
    }

    /// Parses a token. Throws for every fault that can be found without a key and without the time.
    package init(_ text: Substring) throws(TokenError) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.maxSize, Base64.isDottedURLSafe(bytes) else {
            throw TokenError(
                .malformedToken, "a token is three parts of base64url without padding, of \(Self.maxSize) bytes at most")
        }
        let parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, let signature = Base64.decodeURLSafe(parts[2]) else {
            throw TokenError(.malformedToken, "a token has three parts of base64url, separated by full stops")
        }
        let header = try Self.object(parts[0], "header")
        algorithm = try Self.algorithm(header)
        keyID = try Self.keyID(header)
        payload = try Self.object(parts[1], "payload")
        self.signature = signature
        signed = Array(bytes[..<parts[1].endIndex])
    }

    /// Whether the signature was made with this key. It is false if the header names another algorithm than the key's own.
    package func isSigned(by key: TokenKey) -> Bool {
        key.algorithm == algorithm && key.isValid(signature: signature, of: signed)
    }

    private static func algorithm(_ header: JSONValue) throws(TokenError) -> TokenAlgorithm {
        guard case .string(let name)? = header.member("alg"), let algorithm = TokenAlgorithm(named: name) else {
            let known = TokenAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")
            throw TokenError(.unsupportedAlgorithm, "the token must be signed with one of \(known)")
        }
        // A verifier must refuse critical parameters that it does not understand (RFC 7515). This verifier understands none.
        guard header.member("crit") == nil else {
            throw TokenError(.unsupportedHeader, "the token has critical parameters (crit), which are not supported")
        }
        switch header.member("typ") {
        case nil: break
        case .string(let type) where types.contains(type.lowercased()): break
        default: throw TokenError(.unsupportedHeader, "the token is of another type (typ) than JWT or at+jwt")
        }
        return algorithm
    }

    private static func keyID(_ header: JSONValue) throws(TokenError) -> String? {
        switch header.member("kid") {
        case nil: nil
        case .string(let id): id
        default: throw TokenError(.unsupportedHeader, "the token's kid is not a text")
        }
    }

    private static func object(_ part: ArraySlice<UInt8>, _ name: String) throws(TokenError) -> JSONValue {
        guard let json = Base64.decodeURLSafe(part) else {
            throw TokenError(.malformedToken, "the token's \(name) is not base64url")
        }
        let value: JSONValue
        do {
            value = try json.withUnsafeBufferPointer { bytes throws(JSONParser.Fault) in
                try JSONParser.parse(bytes, maxNames: maxClaims)
            }
        } catch {
            throw TokenError(.malformedToken, "the token's \(name) is not JSON, at byte \(error.offset): \(error.reason)")
        }
        guard case .object = value else { throw TokenError(.malformedToken, "the token's \(name) is not a JSON object") }
        return value
    }
}

import WireText

/// A compact JWS as an app passes it to StoreKit. It is not verified.
package struct PresentedJWS {
    let header: JSONValue
    let claims: JSONValue
    /// The third part: 64 bytes, if it is right.
    let signature: [UInt8]
    /// What may have been signed: the first two parts as they stand, and in base64url.
    let messages: [[UInt8]]

    /// The claim `nonce`; nil if there is none.
    package var nonce: String? {
        if case .string(let nonce)? = claims.member("nonce") { nonce } else { nil }
    }

    /// Returns nil unless the text is a compact JWS whose header and claims are JSON objects. Ignores the usual mistakes with
    /// the text.
    package init?(_ text: String) {
        guard let jws = Self.read(text).jws else { return nil }
        self = jws
    }

    private init(header: JSONValue, claims: JSONValue, signature: [UInt8], messages: [[UInt8]]) {
        (self.header, self.claims, self.signature, self.messages) = (header, claims, signature, messages)
    }

    /// Reads the text even if it has one of the usual mistakes. Returns nil if it is no JWS, and the mistakes that were found.
    static func read(_ text: String) -> (jws: PresentedJWS?, findings: [Finding]) {
        var bytes = bare(text)
        if bytes.first == UInt8(ascii: "{") {
            return (nil, [malformed("this is JSON, so give the value of its field compactJWS")])
        }
        var findings: [Finding] = []
        if !bytes.elementsEqual(text.utf8) {
            let found = "white space, quotation marks or a word stand around the JWS or in it; pass on the text alone"
            findings.append(Finding(.jwsWrapped, found))
        }
        if !bytes.contains(dot), let inner = decodeAny(bytes), !inner.isEmpty {
            if Signature.raw(fromDER: inner) != nil {
                let remedy = "check it with its fields, or ask for a signature with the form jws"
                let found = "this is a signature in the payload form, and no JWS; \(remedy)"
                return (nil, findings + [Finding(.payloadSignature, found)])
            }
            // Any bytes may contain a full stop. Only a text that looks like a JWS is taken for one that was encoded again.
            if inner.contains(dot), Base64.isDottedURLSafe(inner) {
                findings.append(
                    Finding(.base64Twice, "the JWS was encoded in Base64 once more: pass on the text as it was answered"))
                bytes = inner
            }
        }
        do throws(Fault) { return (try parse(bytes, &findings), findings) } catch {
            return (nil, findings + [malformed(error.text)])
        }
    }

    private struct Fault: Error {
        let text: String
    }

    private static func parse(_ bytes: [UInt8], _ findings: inout [Finding]) throws(Fault) -> PresentedJWS {
        let parts = bytes.split(separator: dot, omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw Fault(text: parts.count == 1 ? "this has one part" : "this has \(parts.count)") }
        var decoded: [[UInt8]] = []
        for (part, name) in zip(parts, ["header", "claims", "signature"]) {
            guard let bytes = decodeAny(part) else {
                throw Fault(text: "the part with the \(name) is not base64url, and may be cut off")
            }
            decoded.append(bytes)
        }
        guard let header = object(decoded[0]), let claims = object(decoded[1]) else {
            throw Fault(text: "header and claims must be JSON objects")
        }
        if parts.contains(where: { Base64.decodeURLSafe($0) == nil }) {
            let found = "a part of the JWS is in standard Base64 or padded; base64url without padding is wanted"
            findings.append(Finding(.base64Standard, found))
        }
        var normal: [UInt8] = []
        Base64.appendURLSafe(decoded[0], to: &normal)
        normal.append(dot)
        Base64.appendURLSafe(decoded[1], to: &normal)
        let given = Array(parts[0]) + [dot] + Array(parts[1])
        return PresentedJWS(
            header: header, claims: claims, signature: decoded[2], messages: given == normal ? [given] : [given, normal])
    }

    private static let dot = UInt8(ascii: ".")

    private static func malformed(_ found: String) -> Finding {
        Finding(.jwsMalformed, "a compact JWS has three parts in base64url with full stops between them; \(found)")
    }

    /// The text without white space, quotation marks, and the word `Bearer`.
    private static func bare(_ text: String) -> [UInt8] {
        let bytes = text.utf8.filter { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") }
        let word = Array("Bearer".utf8)
        return bytes.starts(with: word) && bytes.contains(dot) ? Array(bytes.dropFirst(word.count)) : Array(bytes)
    }

    /// Decodes Base64 in either alphabet, with or without its padding.
    private static func decodeAny(_ text: some Collection<UInt8>) -> [UInt8]? {
        let safe = text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0 }
        var end = safe[...]
        for _ in 0..<2 where end.last == UInt8(ascii: "=") { end = end.dropLast() }
        return Base64.decodeURLSafe(end)
    }

    private static func object(_ bytes: [UInt8]) -> JSONValue? {
        guard let value = try? JSONValue(parsing: bytes), case .object = value else { return nil }
        return value
    }
}

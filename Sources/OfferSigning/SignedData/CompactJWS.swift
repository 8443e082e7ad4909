import WireText

/// The parts of a compact JWS that the App Store has signed, parsed but not verified.
struct CompactJWS {
    private static let longest = 16 << 20

    /// The certificates of the header `x5c` in DER, not parsed yet. There are three, or one if a local test has signed the data.
    let certificates: [[UInt8]]
    /// The payload, which is a JSON object.
    let payload: JSONValue
    // The whole text. Its parts are read in place, because copies of them would multiply the memory that a large JWS takes.
    private let text: ArraySlice<UInt8>
    private let signedLength: Int

    /// Parses a compact JWS. Throws for every fault that can be found without parsing its certificates.
    init(_ jws: ArraySlice<UInt8>) throws(SignedDataError) {
        guard jws.count <= CompactJWS.longest else {
            throw SignedDataError(.malformedJWS, "signed data of more than \(CompactJWS.longest) bytes")
        }
        text = jws
        (certificates, payload, signedLength) = try jws.withUnsafeBufferPointer { text throws(SignedDataError) in
            try CompactJWS.parse(text)
        }
    }

    private static func parse(
        _ text: UnsafeBufferPointer<UInt8>
    ) throws(SignedDataError) -> (certificates: [[UInt8]], payload: JSONValue, signedLength: Int) {
        guard Base64.isDottedURLSafe(text) else {
            throw SignedDataError(.malformedJWS, "signed data is three parts of base64url without padding or white space")
        }
        let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            throw SignedDataError(.malformedJWS, "signed data has three parts, separated by full stops")
        }
        let certificates = try CompactJWS.certificates(inHeader: parts[0])
        return (certificates, try object(in: parts[1], otherwise: .malformedPayload, name: "payload"), parts[1].endIndex)
    }

    /// Whether the signature was made with this key.
    func isSigned(by key: KeyHandle) -> Bool {
        // There is only one valid way to write a signature: exactly 64 bytes in base64url, with all unused bits 0.
        text.withUnsafeBufferPointer { text in
            guard let raw = Base64.decodeURLSafe(text[(signedLength + 1)...]), let der = Signature.der(fromRaw: raw) else {
                return false
            }
            return key.isValid(signature: der, of: UnsafeBufferPointer(rebasing: text[..<signedLength]))
        }
    }

    private static func certificates(inHeader part: Slice<UnsafeBufferPointer<UInt8>>) throws(SignedDataError) -> [[UInt8]] {
        let header = try object(in: part, otherwise: .malformedJWS, name: "header")
        guard case .string(let algorithm) = header.member("alg") else {
            throw SignedDataError(.malformedJWS, "the header names no algorithm (alg)")
        }
        guard algorithm == "ES256" else {
            throw SignedDataError(.unsupportedAlgorithm, "the App Store signs with ES256 and nothing else")
        }
        // A verifier must refuse critical parameters that it does not understand (RFC 7515). This verifier understands none.
        guard header.member("crit") == nil else {
            throw SignedDataError(.malformedJWS, "the header has critical parameters (crit); the App Store uses none")
        }
        guard case .array(let entries) = header.member("x5c"), entries.count == 3 || entries.count == 1 else {
            throw SignedDataError(.malformedCertificateChain, "x5c has three certificates: leaf, intermediate, root")
        }
        var certificates: [[UInt8]] = []
        for entry in entries { certificates.append(try certificate(entry)) }
        return certificates
    }

    private static func certificate(_ entry: JSONValue) throws(SignedDataError) -> [UInt8] {
        guard case .string(let text) = entry, text.utf8.count <= 4 * ((Certificate.capacity + 2) / 3),
            let der = Base64.decode(text.utf8), (1...Certificate.capacity).contains(der.count)
        else {
            throw SignedDataError(
                .malformedCertificateChain,
                "an entry of x5c is not a certificate in standard Base64, of \(Certificate.capacity) bytes at most"
            )
        }
        return der
    }

    private static func object(
        in part: Slice<UnsafeBufferPointer<UInt8>>,
        otherwise code: SignedDataError.Code,
        name: String
    ) throws(SignedDataError) -> JSONValue {
        guard let json = Base64.decodeURLSafe(part) else {
            throw SignedDataError(.malformedJWS, "the \(name) is not base64url")
        }
        let value: JSONValue
        do {
            value = try json.withUnsafeBufferPointer { bytes throws(JSONParser.Fault) in try JSONParser.parse(bytes) }
        } catch {
            throw SignedDataError(code, "the \(name) is not JSON, at byte \(error.offset): \(error.reason)")
        }
        guard case .object = value else { throw SignedDataError(code, "the \(name) is not a JSON object") }
        return value
    }
}

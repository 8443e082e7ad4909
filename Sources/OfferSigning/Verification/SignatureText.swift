import FoundationEssentials
import WireText

/// Decodes the text of a signature even if it has one of the usual mistakes, and reports the mistakes.
enum SignatureText {
    /// Returns the signature in DER, or nil if the text contains none, and the mistakes that were found.
    static func decode(_ text: String) -> (der: [UInt8]?, findings: [Finding]) {
        var findings: [Finding] = []
        if PresentedJWS(text) != nil {
            let remedy =
                "give it to StoreKit 2 as compactJWS, in promotionalOffer(_:compactJWS:) or introductoryOfferEligibility(compactJWS:)"
            return (nil, [Finding(.compactJWS, "this is a compact JWS, and not the signature of a payload; \(remedy)")])
        }
        guard var bytes = bytes(ofBase64: text, &findings) else {
            return (nil, [Finding(.base64Invalid, "the signature is not Base64; pass it on exactly as it was answered")])
        }
        if let inner = innerBase64(bytes) {
            findings.append(
                Finding(.base64Twice, "the signature is Base64 of Base64: StoreKit 2 takes decoded Data, StoreKit 1 the string")
            )
            bytes = inner
        }
        if Signature.raw(fromDER: bytes) != nil { return (bytes, findings) }
        if let der = Signature.der(fromRaw: bytes) {
            findings.append(Finding(.p1363Signature, "the signature is r‖s (IEEE P1363, 64 bytes); StoreKit wants ASN.1 DER"))
            return (der, findings)
        }
        findings.append(
            Finding(.signatureMalformed, "the \(bytes.count) bytes are not a DER ECDSA signature; were they cut off?"))
        return (nil, findings)
    }

    private static func bytes(ofBase64 text: String, _ findings: inout [Finding]) -> [UInt8]? {
        if let data = Data(base64Encoded: text) { return data.isEmpty ? nil : Array(data) }
        var standard = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        standard += String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: standard), !data.isEmpty else { return nil }
        findings.append(Finding(.base64URL, "the signature is base64url or lacks its padding; standard Base64 is wanted"))
        return Array(data)
    }

    private static func innerBase64(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return nil }
        return Data(base64Encoded: String(decoding: bytes, as: UTF8.self)).map(Array.init)
    }
}

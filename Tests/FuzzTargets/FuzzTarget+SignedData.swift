import WireText

@testable import OfferSigning

extension FuzzTarget {
    /// Signed data from any sender: form, certificates, signature.
    static func verifySignedData(_ input: UnsafeBufferPointer<UInt8>) {
        let text = signedText(input)
        // One text was ever signed; whatever else passes is a forgery.
        if (try? SeedAuthority.verifier.verify(text)) != nil {
            precondition(text == SeedAuthority.jws, "a forgery was accepted")
        }
    }

    /// The text to verify: the input as it is; or, if it is two lines of JSON, a JWS with these as header and payload.
    private static func signedText(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        guard bytes.first == UInt8(ascii: "{"), let end = bytes.firstIndex(of: 0x0A) else {
            return String(decoding: bytes, as: UTF8.self)
        }
        var text: [UInt8] = []
        Base64.appendURLSafe(Array(bytes[..<end]), to: &text)
        text.append(UInt8(ascii: "."))
        Base64.appendURLSafe(Array(bytes[(end + 1)...]), to: &text)
        text.append(contentsOf: ".".utf8)
        Base64.appendURLSafe([UInt8](repeating: 7, count: 64), to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}

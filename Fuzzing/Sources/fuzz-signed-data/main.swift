import FuzzDriver
import WireText

@testable import OfferSigning

/// What the verifier trusts; the seeds were made by this authority.
enum Trust {
    static let verifier: SignedDataVerifier = {
        let roots = try! TrustedRoots(pemOrDERFiles: [Array(SeedAuthority.root.utf8)])
        let verifier = SignedDataVerifier(roots: roots, cacheCapacity: 8, now: { 1_700_000_000_000 })
        // Unless the seed passes, nothing that follows shows anything.
        _ = try! verifier.verify(SeedAuthority.jws)
        return verifier
    }()

    /// The text to verify: the input as it is; or, if it is two lines of JSON, a JWS with these as header and payload.
    static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
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

// Signed data from anybody: form, certificates, signature.
FuzzDriver.main { start, count in
    let text = Trust.text(UnsafeBufferPointer(start: start, count: count))
    // One text was ever signed; whatever else passes is a forgery.
    if (try? Trust.verifier.verify(text)) != nil { precondition(text == SeedAuthority.jws, "a forgery was accepted") }
    return 0
}

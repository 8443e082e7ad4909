import EligibilityRules

@testable import AppStore
@testable import OfferSigning

extension FuzzTarget {
    /// A receipt as an app sends it, or the content of one alone: a fuzzer cannot sign.
    static func readAppReceipt(_ input: UnsafeBufferPointer<UInt8>) {
        let bytes = Array(input)
        let message = SignedMessage(bytes)
        for content in [bytes, message?.content ?? []] {
            guard let receipt = AppReceipt(content) else { continue }
            Oracle.check(receipt.response(at: Instant(milliseconds: SeedAuthority.now)).history)
        }
        guard let message else { return }
        _ = message.isSigned
        // The seeds' authority has no RSA, so it signs no receipt.
        if (try? SeedAuthority.verifier.verify(receipt: message, createdAt: SeedAuthority.now)) != nil { fatalError("a forgery") }
    }
}

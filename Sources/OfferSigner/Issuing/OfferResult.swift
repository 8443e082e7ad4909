import EligibilityRules
import FoundationEssentials

/// What became of one item of a request.
enum OfferResult: Sendable {
    case signed(SignedOffer)
    /// Why the App Store needs no signature.
    case notNeeded(Verdict)
    /// Why not; the first reason is the code.
    case refused(Verdict)
}

/// A signature ready to be handed out.
struct SignedOffer: Sendable {
    /// The signature in the form that was asked for.
    enum Token: Sendable {
        /// DER.
        case payload([UInt8])
        case jws(String)
    }

    let nonce: UUID
    let token: Token
    /// SHA-256 of the signed bytes.
    let digest: [UInt8]
    /// What the eligibility rules say, where the app only wants their advice.
    let advice: Verdict?
}

import EligibilityRules
import FoundationEssentials

/// What became of one item of a request.
enum OfferResult: Sendable {
    case signed(SignedOffer)
    case refused(RefusedOffer)
}

/// A signature ready to be handed out.
struct SignedOffer: Sendable {
    /// The signature in the form that was asked for.
    enum Token: Sendable {
        /// DER.
        case payload([UInt8])
        case jws(String)
    }

    let item: SignatureRequest.Item
    let keyID: String
    let nonce: UUID
    /// Milliseconds since 1970.
    let timestamp: Int64
    let applicationUsername: String
    let token: Token
    /// What the eligibility rules say, where the app only wants their advice.
    let advice: Verdict?

    /// The App Store takes a promotional-offer signature for 24 hours.
    var expiresAt: Int64 { timestamp + 24 * 3600 * 1000 }
}

/// A "no" for one item, which leaves the others alone.
struct RefusedOffer: Equatable, Sendable {
    let productID: String
    /// Nil for an introductory offer.
    let offerID: String?
    /// Why; its first reason is the code.
    let verdict: Verdict
}

extension RefusedOffer {
    /// A stable kebab-case name.
    var code: String { verdict.reason.code }
}

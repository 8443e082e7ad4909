package import EligibilityRules
package import FoundationEssentials
import OfferStore

/// The offer that was chosen for one item of a request, and what became of it.
package struct OfferResult: Sendable {
    /// What became of it.
    package enum Outcome: Sendable {
        case signed(SignedOffer)
        /// Why the App Store needs no signature.
        case notNeeded(Verdict)
        /// Why not; the first reason is the code.
        case refused(Verdict)
    }

    package let productID: String
    package let purpose: SignatureRequest.Purpose
    package let outcome: Outcome
    /// The campaign that chose it; nil: the request did.
    package let campaign: CampaignAssignment?

    /// Takes the values as they are.
    package init(
        productID: String,
        purpose: SignatureRequest.Purpose,
        outcome: Outcome,
        campaign: CampaignAssignment? = nil
    ) {
        self.campaign = campaign
        self.productID = productID
        self.purpose = purpose
        self.outcome = outcome
    }
}

/// A signature ready to be handed out.
package struct SignedOffer: Sendable {
    /// The signature in the form that was asked for.
    package enum Token: Equatable, Sendable {
        /// DER.
        case payload([UInt8])
        case jws(String)

        /// As it is kept.
        var bytes: [UInt8] {
            switch self {
            case .payload(let der): der
            case .jws(let compact): Array(compact.utf8)
            }
        }
    }

    package let nonce: UUID
    package let token: Token
    /// SHA-256 of the signed bytes.
    package let digest: [UInt8]
    /// What the eligibility rules say, where the app only wants their advice.
    package let advice: Verdict?
    /// Key and timestamp (ms since 1970), where it was signed for an earlier request.
    package let earlier: (keyID: String, timestamp: Int64)?

    /// Takes the values as they are.
    package init(
        nonce: UUID,
        token: Token,
        digest: [UInt8],
        advice: Verdict?,
        earlier: (keyID: String, timestamp: Int64)? = nil
    ) {
        self.earlier = earlier
        self.nonce = nonce
        self.token = token
        self.digest = digest
        self.advice = advice
    }

    /// One that comes again.
    init(_ earlier: EarlierSignature) {
        let isPayload = earlier.form == .payload
        self.init(
            nonce: earlier.nonce,
            token: isPayload ? .payload(earlier.token) : .jws(String(decoding: earlier.token, as: UTF8.self)), digest: [],
            advice: nil, earlier: (earlier.keyID, earlier.signedAt.milliseconds))
    }
}

package import EligibilityRules
package import FoundationEssentials
import OfferStore

/// The offer that was chosen for one item of a request, and the outcome.
package struct OfferResult: Sendable {
    /// The outcome of an item.
    package enum Outcome: Sendable {
        case signed(SignedOffer)
        /// Why the App Store needs no signature.
        case notNeeded(Verdict)
        /// Why it was refused; the first reason is the code.
        case refused(Verdict)
    }

    package let productID: String
    package let purpose: SignatureRequest.Purpose
    package let outcome: Outcome
    /// The campaign that chose the offer; nil if the request did.
    package let campaign: CampaignAssignment?

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

/// A signature that is ready to be sent.
package struct SignedOffer: Sendable {
    /// The signature in the requested form.
    package enum Token: Equatable, Sendable {
        /// DER.
        case payload([UInt8])
        case jws(String)

        /// The bytes that are kept to return the signature again.
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
    /// What the eligibility rules say, if the app only takes their advice.
    package let advice: Verdict?
    /// The key and the timestamp (ms since 1970) of a signature from an earlier request; nil if it was made for this request.
    package let earlier: (keyID: String, timestamp: Int64)?

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

    /// An outstanding signature that is returned again.
    init(_ earlier: EarlierSignature) {
        let isPayload = earlier.form == .payload
        self.init(
            nonce: earlier.nonce,
            token: isPayload ? .payload(earlier.token) : .jws(String(decoding: earlier.token, as: UTF8.self)), digest: [],
            advice: nil, earlier: (earlier.keyID, earlier.signedAt.milliseconds))
    }
}

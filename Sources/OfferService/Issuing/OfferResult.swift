package import EligibilityRules
package import FoundationEssentials
import OfferStore

/// The result for one item of a request: the offer that was chosen, and the outcome.
package struct OfferResult: Sendable {
    /// The outcome of an item.
    package enum Outcome: Sendable {
        case signed(SignedOffer)
        /// No signature is made; the verdict says why the App Store needs none.
        case notNeeded(Verdict)
        /// Why the offer was refused. The first reason is the code in the answer.
        case refused(Verdict)
    }

    package let productID: String
    package let purpose: SignatureRequest.Purpose
    package let outcome: Outcome
    /// The campaign that has chosen the offer, or decided about the introductory offer; nil if none has.
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
        /// A signature in DER.
        case payload([UInt8])
        case jws(String)
    }

    package let nonce: UUID
    package let token: Token
    /// SHA-256 of the text that was signed.
    package let digest: [UInt8]
    /// The verdict that accompanies the signature, if the app is set to `advise`.
    package let advice: Verdict?

    package init(nonce: UUID, token: Token, digest: [UInt8], advice: Verdict?) {
        self.nonce = nonce
        self.token = token
        self.digest = digest
        self.advice = advice
    }
}

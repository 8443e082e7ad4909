import EligibilityRules
import OfferStore

/// Whether one item of a request may be signed, and the verdict of the eligibility rules.
enum SigningDecision: Equatable, Sendable {
    /// The offer is signed, accompanied by the verdict `advice`; nil if no verdict accompanies it.
    case sign(advice: Verdict?)
    /// An introductory-offer override with this value is signed.
    case signOverride(allowed: Bool)
    /// No signature is needed, and this is no refusal.
    ///
    /// Either the App Store gives the introductory offer without a signature, or it has asked what to show and no campaign gives
    /// an offer.
    case notNeeded(Verdict)
    case refuse(Verdict)

    /// The verdict for which no signature is sent; nil if one is sent.
    var unsigned: Verdict? {
        switch self {
        case .refuse(let verdict), .notNeeded(let verdict): verdict
        case .sign, .signOverride: nil
        }
    }

    /// Whether a new signature is made.
    var isSigning: Bool {
        switch self {
        case .sign, .signOverride: true
        case .refuse, .notNeeded: false
        }
    }

    /// The verdict that accompanies a signature; nil if none does.
    var advice: Verdict? {
        if case .sign(let advice) = self { advice } else { nil }
    }
}

extension SigningDecision {
    /// Decides about all promotional offers of a request at once, because Apple's rule is the same for each of them.
    ///
    /// - Parameter customer: the customer; nil if the request names none.
    static func promotional(_ enforcement: App.Enforcement, _ customer: Customer?) -> SigningDecision {
        guard let customer else {
            return enforcement == .advise ? .sign(advice: nil) : .refuse(Verdict(.unknown, .customerNotNamed))
        }
        let verdict = PromotionalOfferRule.verdict(for: customer)
        switch enforcement {
        case .advise: return .sign(advice: verdict)
        case .enforce: return verdict.status == .eligible ? .sign(advice: nil) : .refuse(verdict)
        }
    }

    /// Decides about an override of introductory-offer eligibility.
    ///
    /// A campaign decides first. If none does, the rules decide, and they refuse if the verdict is unknown.
    /// The rules never sign `true`. It would matter only for customers whom the App Store would refuse, and about these the App
    /// Store knows more than the rules do.
    ///
    /// - Parameters:
    ///   - customer: nil if the request names none.
    ///   - transactionID: the id that the signature would name.
    ///   - campaign: the campaign that decides about the product's introductory offer; nil if none does.
    static func introductory(
        _ product: SubscriptionProduct,
        _ customer: Customer?,
        _ transactionID: String,
        _ campaign: CampaignIntroductoryOffer?
    ) -> (decision: SigningDecision, campaign: CampaignAssignment?) {
        guard let customer else { return (.refuse(Verdict(.unknown, .customerNotNamed)), nil) }
        let verdict = IntroductoryOfferRule.verdict(on: product, for: customer)
        switch campaign?.outcome(on: product, for: customer, verdict) {
        case .override(allowed: false): return (.signOverride(allowed: false), campaign?.assignment)
        case .override(allowed: true):
            // The signature helps whomever it names. So it names only the customer who was judged.
            guard customer.hasBought(transactionID) else { return (introductory(verdict), nil) }
            return (.signOverride(allowed: true), campaign?.assignment)
        case .notNeeded: return (.notNeeded(verdict), campaign?.assignment)
        case nil: return (introductory(verdict), nil)
        }
    }

    private static func introductory(_ verdict: Verdict) -> SigningDecision {
        switch verdict.status {
        case .eligible: .notNeeded(verdict)
        case .ineligible: .signOverride(allowed: false)
        case .unknown, .noOffer: .refuse(verdict)
        }
    }
}

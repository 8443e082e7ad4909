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
    /// If the caller has given a value, that value is signed. Otherwise the rules decide, and they refuse if the verdict is
    /// unknown.
    /// The rules never sign `true`. It would matter only for customers whom the App Store would refuse, and about these the App
    /// Store knows more than the rules do.
    ///
    /// - Parameter allowed: the value that the caller has given; nil if the rules are to decide.
    static func introductory(
        allowed: Bool?,
        _ product: SubscriptionProduct,
        _ customer: @autoclosure () -> Customer?
    ) -> SigningDecision {
        if let allowed { return .signOverride(allowed: allowed) }
        guard let customer = customer() else { return .refuse(Verdict(.unknown, .customerNotNamed)) }
        let verdict = IntroductoryOfferRule.verdict(on: product, for: customer)
        return switch verdict.status {
        case .eligible: .notNeeded(verdict)
        case .ineligible: .signOverride(allowed: false)
        case .unknown, .noOffer: .refuse(verdict)
        }
    }
}

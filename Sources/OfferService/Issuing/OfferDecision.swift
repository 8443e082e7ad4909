import EligibilityRules
import OfferStore

/// Whether one item of a request may be signed, and what the eligibility rules say of it.
enum OfferDecision: Equatable, Sendable {
    /// With the verdict that goes with the signature, if any.
    case sign(advice: Verdict?)
    /// An introductory-offer override with this value.
    case signOverride(allowed: Bool)
    /// The App Store gives the introductory offer by itself; an override could only add to that.
    case notNeeded(Verdict)
    case refuse(Verdict)
    /// With a signature that is outstanding.
    case again(EarlierSignature)

    /// Why nothing is signed; nil where something is.
    var unsigned: Verdict? {
        switch self {
        case .refuse(let verdict), .notNeeded(let verdict): verdict
        case .sign, .signOverride, .again: nil
        }
    }

    /// Whether something is signed for it.
    var isSigning: Bool {
        switch self {
        case .sign, .signOverride: true
        case .refuse, .notNeeded, .again: false
        }
    }

    /// The verdict that goes with a signature.
    var advice: Verdict? {
        if case .sign(let advice) = self { advice } else { nil }
    }
}

extension OfferDecision {
    /// Decides about promotional offers, once for all of a request: Apple's rule is the same for every one of them.
    ///
    /// - Parameter customer: nil when the request names nobody.
    static func promotional(_ enforcement: App.Enforcement, _ customer: Customer?) -> OfferDecision {
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
    /// What the caller says counts; the rules speak where it leaves it to them, and refuse where they do not know. They never grant:
    /// a signed `true` is worth something only to whom the App Store would refuse, of whom they know less than it does.
    ///
    /// - Parameter allowed: nil: as the rules say.
    static func introductory(
        allowed: Bool?,
        _ product: SubscriptionProduct,
        _ customer: @autoclosure () -> Customer?
    ) -> OfferDecision {
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

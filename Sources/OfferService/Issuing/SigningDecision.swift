import EligibilityRules
import OfferStore

/// Whether one item of a request may be signed, and what the eligibility rules say of it.
enum SigningDecision: Equatable, Sendable {
    /// Carries the verdict that goes with the signature, if any.
    case sign(advice: Verdict?)
    /// An introductory-offer override with this value.
    case signOverride(allowed: Bool)
    /// The App Store gives the introductory offer by itself; an override could only add to that.
    case notNeeded(Verdict)
    case refuse(Verdict)
    /// An outstanding signature is returned again.
    case again(EarlierSignature)

    /// Why nothing is signed; nil if something is.
    var unsigned: Verdict? {
        switch self {
        case .refuse(let verdict), .notNeeded(let verdict): verdict
        case .sign, .signOverride, .again: nil
        }
    }

    /// Whether something is signed.
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

extension SigningDecision {
    /// Decides about promotional offers, once for all of a request: Apple's rule is the same for every one of them.
    ///
    /// - Parameter customer: nil if the request names no customer.
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
    /// The caller's value counts. Without one the rules decide, and refuse if they do not know.
    /// They never grant: a signed `true` matters only for customers that the App Store would refuse.
    /// The App Store knows more of those than the rules do.
    ///
    /// - Parameter allowed: nil: as the rules say.
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

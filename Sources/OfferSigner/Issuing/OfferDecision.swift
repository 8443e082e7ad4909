/// Whether one item of a request may be signed.
enum OfferDecision: Equatable, Sendable {
    case sign
    case refuse(code: String, reason: String)

    /// The rule in force as long as purchase history is not known here: the caller decides, except where it asks us to.
    static func withoutHistory(_ item: SignatureRequest.Item) -> OfferDecision {
        if case .introductoryOffer(_, nil) = item.purpose {
            return .refuse(
                code: "eligibility-not-available",
                reason: "this release does not know purchase history: say allow true or false"
            )
        }
        return .sign
    }
}

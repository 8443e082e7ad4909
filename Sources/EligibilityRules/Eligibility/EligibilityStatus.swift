/// The answer to "may this customer have the offer?".
public enum EligibilityStatus: String, Sendable, CaseIterable {
    case eligible
    case ineligible
    /// It cannot be known from the history; the reasons say why.
    case unknown
    /// The catalogue has no such offer.
    case noOffer = "no-offer"
}

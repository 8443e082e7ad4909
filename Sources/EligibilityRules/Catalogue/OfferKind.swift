/// The payment mode of an offer, in App Store Connect's terms.
public enum OfferKind: String, Sendable, CaseIterable {
    case freeTrial = "free-trial"
    case payAsYouGo = "pay-as-you-go"
    case payUpFront = "pay-up-front"
}

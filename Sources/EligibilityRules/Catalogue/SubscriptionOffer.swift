/// An introductory or promotional offer as set up in App Store Connect.
public struct SubscriptionOffer: Hashable, Sendable {
    /// How it is paid.
    public let kind: OfferKind
    /// An ISO 8601 duration, such as `P3M`.
    public let period: String

    /// Takes the values as they are.
    public init(kind: OfferKind, period: String) {
        self.kind = kind
        self.period = period
    }
}

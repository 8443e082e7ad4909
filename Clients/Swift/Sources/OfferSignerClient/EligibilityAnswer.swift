/// Which offers a customer may have, product by product, in the order of the request.
public struct EligibilityAnswer: Decodable, Equatable, Sendable {
    /// The verdicts on the offers of one product.
    public struct Product: Decodable, Equatable, Sendable {
        /// The product's id in App Store Connect.
        public let productId: String
        /// The customer's subscription in the product's group.
        public let subscription: Subscription
        /// Whether the customer may have the introductory offer.
        public let introductoryOffer: Verdict
        /// For each promotional offer of the product, whether the customer may have it.
        public let promotionalOffers: [Offer]
        /// The ids of the win-back offers that the App Store has named for the customer, best first. They need no signature.
        public let winBackOffers: [String]
        /// The direct links of these win-back offers by offer id, as far as the service's catalogue has them.
        public let winBackOfferLinks: [String: String]?

        /// The ids of the promotional offers that the customer may have.
        public var eligibleOfferIds: [String] { promotionalOffers.filter { $0.status == .eligible }.map(\.offerId) }
    }

    /// What is known about a customer's subscription in one subscription group.
    public struct Subscription: Decodable, Equatable, Sendable {
        /// `never`, `active`, `grace-period`, `billing-retry`, `expired` or `revoked`.
        public let state: String
        /// The end of the period from which the state follows, in ms since 1970; nil if the end is not known.
        public let expiresAt: Int?
        /// Whether the subscription will renew; nil if that is not known.
        public let willRenew: Bool?
    }

    /// The verdict on the introductory offer of a product.
    public struct Verdict: Decodable, Equatable, Sendable {
        /// Whether the customer may have the offer.
        public let status: EligibilityStatus
        /// The reasons for the verdict. The first reason decided.
        public let reasons: [Reason]
    }

    /// The verdict on one promotional offer.
    public struct Offer: Decodable, Equatable, Sendable {
        /// The id of the promotional offer in App Store Connect.
        public let offerId: String
        /// Whether the customer may have the offer.
        public let status: EligibilityStatus
        /// The reasons for the verdict. The first reason decided.
        public let reasons: [Reason]
    }

    /// A reason for a verdict.
    public struct Reason: Decodable, Equatable, Sendable {
        /// A stable code for programs, such as `never-subscribed`. A later version may have further codes.
        public let code: String
        /// The reason in one sentence, for people.
        public let message: String
    }

    /// The time at which the service decided, in ms since 1970.
    public let asOf: Int
    /// How much of the customer's purchases is known: `none`, `partial` or `complete`.
    public let history: String
    /// To whom the running subscription of the Apple account belongs: to the `same` customer, to `another`, or to `nobody`. It is
    /// nil if the request had neither `appTransactionId` nor `signedTransactions`.
    public let subscriptionOwner: String?
    /// One element for each product of the request, or of the whole catalogue if the request named none.
    public let products: [Product]
}

/// The result of a verdict. Compare it with the constants, and expect further values in a later version.
public struct EligibilityStatus: RawRepresentable, Codable, Hashable, Sendable {
    /// The customer may have the offer.
    public static let eligible = EligibilityStatus(rawValue: "eligible")
    /// The customer may not have it.
    public static let ineligible = EligibilityStatus(rawValue: "ineligible")
    /// The service does not know enough of the customer's purchases to decide. The reasons say what is missing.
    public static let unknown = EligibilityStatus(rawValue: "unknown")
    /// The catalogue has no such offer.
    public static let noOffer = EligibilityStatus(rawValue: "no-offer")

    /// The status as the API spells it.
    public let rawValue: String

    /// Accepts every text, because a later version of the service may have further values.
    public init(rawValue: String) { self.rawValue = rawValue }
}

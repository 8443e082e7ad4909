/// What a customer may have, product by product, in the order of the request.
public struct EligibilityAnswer: Decodable, Equatable, Sendable {
    /// A product.
    public struct Product: Decodable, Equatable, Sendable {
        /// Product id.
        public let productId: String
        /// The customer's subscription in the product's group.
        public let subscription: Subscription
        /// Whether the customer may have the introductory offer.
        public let introductoryOffer: Verdict
        /// Whether the customer may have each promotional offer.
        public let promotionalOffers: [Offer]
        /// The ids of the win-back offers that the App Store has named for the customer, best first. They need no signature.
        public let winBackOffers: [String]

        /// The ids of the promotional offers that the customer may have.
        public var eligibleOfferIds: [String] { promotionalOffers.filter { $0.status == .eligible }.map(\.offerId) }
    }

    /// A subscription.
    public struct Subscription: Decodable, Equatable, Sendable {
        /// `never`, `active`, `grace-period`, `billing-retry`, `expired` or `revoked`.
        public let state: String
        /// When the deciding period ends or ended, in ms since 1970; nil if not known.
        public let expiresAt: Int?
        /// Whether it will renew; nil if not known.
        public let willRenew: Bool?
    }

    /// A verdict on a kind of offer.
    public struct Verdict: Decodable, Equatable, Sendable {
        /// The verdict.
        public let status: EligibilityStatus
        /// Why; the first reason decided.
        public let reasons: [Reason]
    }

    /// A verdict on a promotional offer.
    public struct Offer: Decodable, Equatable, Sendable {
        /// The offer's id.
        public let offerId: String
        /// The verdict.
        public let status: EligibilityStatus
        /// Why; the first reason decided.
        public let reasons: [Reason]
    }

    /// A reason.
    public struct Reason: Decodable, Equatable, Sendable {
        /// For programs. There can be others in a later version.
        public let code: String
        /// In one sentence.
        public let message: String
    }

    /// The instant that the answer is about, in ms since 1970.
    public let asOf: Int
    /// How much of the customer's purchases is known: `none`, `partial` or `complete`.
    public let history: String
    /// Whose the running subscription of the Apple account is: `same`, `another` or `nobody`; nil where no account was named.
    public let subscriptionOwner: String?
    /// The products.
    public let products: [Product]
}

/// A verdict in a word.
public struct EligibilityStatus: RawRepresentable, Codable, Hashable, Sendable {
    /// The customer may have the offer.
    public static let eligible = EligibilityStatus(rawValue: "eligible")
    /// The customer may not have it.
    public static let ineligible = EligibilityStatus(rawValue: "ineligible")
    /// It is not known; the reasons say why.
    public static let unknown = EligibilityStatus(rawValue: "unknown")
    /// The catalogue has no such offer.
    public static let noOffer = EligibilityStatus(rawValue: "no-offer")

    /// The word.
    public let rawValue: String

    /// Takes any word: there can be others in a later version.
    public init(rawValue: String) { self.rawValue = rawValue }
}

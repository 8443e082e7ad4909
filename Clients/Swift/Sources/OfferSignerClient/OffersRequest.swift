public import Foundation

/// Asks which offers the live campaigns give a customer. A request with an access key must name the customer by at least one of
/// `customerId`, `appAccountToken`, `transactionId`, `appTransactionId` and `signedAppTransaction`. The token of an end user names
/// the customer by itself.
public struct OffersRequest: Encodable, Sendable {
    /// The app's bundle id; nil if the access key or token is for one app only, or if the service has only one app.
    public var bundleId: String?
    /// Where the customer buys: `Production`, `Sandbox` or `Xcode`; nil for the environment in the app's configuration.
    public var environment: String?
    /// Your own id of the customer.
    public var customerId: String?
    /// The UUID that the app passes to StoreKit as `appAccountToken` in this customer's purchases.
    public var appAccountToken: UUID?
    /// Any transaction id of the customer.
    public var transactionId: String?
    /// The `appTransactionId` of the customer's `AppTransaction` or transactions, which names the Apple account in this app.
    public var appTransactionId: String?
    /// The `jwsRepresentation` of transactions that StoreKit 2 has on the device, at most 200. The service verifies and stores
    /// them before it answers.
    public var signedTransactions: [String]?
    /// The `jwsRepresentation` of `AppTransaction.shared`. It proves the Apple account also of a customer who has bought nothing,
    /// so that campaigns can assign a variant to a new customer.
    public var signedAppTransaction: String?
    /// The billing plan with which the customer would buy: `upfront`, or `monthly` for a commitment of twelve months that is paid
    /// monthly; nil for `upfront`. An offer is configured for one plan, and is none on the other.
    public var billingPlan: String?
    /// The place in the app that asks, such as `paywall`. Only campaigns for this place, or for no particular place, decide. If
    /// it is nil, the campaigns for all places in the app decide.
    public var placement: String?
    /// What the app knows about the customer, for conditions of campaigns. The service does not verify it.
    public var attributes: [String: AttributeValue]?

    /// Makes a request. Set further properties afterwards.
    public init(
        placement: String? = nil,
        attributes: [String: AttributeValue]? = nil,
        customerId: String? = nil,
        bundleId: String? = nil,
        signedTransactions: [String]? = nil
    ) {
        self.placement = placement
        self.attributes = attributes
        self.customerId = customerId
        self.bundleId = bundleId
        self.signedTransactions = signedTransactions
    }
}

/// Which offers the live campaigns give a customer.
public struct OffersAnswer: Decodable, Equatable, Sendable {
    /// What a campaign gives: a promotional offer, a decision about an introductory offer, or a link.
    public struct Offer: Decodable, Equatable, Sendable {
        /// A decision about an introductory offer.
        public struct IntroductoryDecision: Decodable, Equatable, Sendable {
            /// True: show the introductory offer. False: show the regular price.
            public let allow: Bool
        }

        /// The product's id in App Store Connect; nil for a link.
        public let productId: String?
        /// The id of the promotional offer in App Store Connect; nil if this is something else.
        public let offerId: String?
        /// `monthly` for an offer of that billing plan; nil for `upfront`.
        public let billingPlan: String?
        /// Whether the customer gets the introductory offer; nil if this is something else.
        ///
        /// Before the purchase ask for the override with `introductoryOfferSignatures`, and let the campaigns decide.
        public let introductoryOffer: IntroductoryDecision?
        /// The address at which the App Store gives an offer, which the app opens; nil if this is something else.
        public let link: String?
        /// The campaign that chose it.
        public let campaign: ChoosingCampaign
    }

    /// A campaign that has taken the customer, and the variant that the customer has in it.
    public struct Assignment: Decodable, Equatable, Sendable {
        /// The campaign's id, such as `spring-winback`.
        public let campaign: String
        /// The number of the campaign's revision that decided; 0 for a draft that a tester tries.
        public let revision: Int
        /// The variant's id; `holdout` if the campaign holds the customer out and gives nothing.
        public let variant: String
    }

    /// The offers that the app may show, in the order in which the campaigns decide.
    public let offers: [Offer]
    /// All campaigns that have taken the customer, also those in which the customer gets nothing.
    public let assignments: [Assignment]
}

/// Asks for overrides: for each product a JWS that tells the App Store whether the customer may have the introductory offer.
public struct IntroductoryOfferRequest: Encodable, Sendable {
    /// A product, and who decides about its introductory offer.
    public struct Product: Encodable, Sendable {
        /// The product's id in App Store Connect.
        public var productId: String
        /// Any transaction id of the customer, or the `appTransactionId`. It names the customer, and the JWS contains it.
        public var transactionId: String
        /// `true` gives the offer even to a customer who has used one, and needs the permission `override`. `false` forbids the
        /// offer. With nil the eligibility rules decide, or the campaigns if `asksCampaigns` is true.
        public var allow: Bool?
        /// True lets the campaigns decide if `allow` is nil. Where no campaign decides, the eligibility rules do.
        public var asksCampaigns = false

        /// Makes an element of the request. Without `allow` the eligibility rules decide.
        public init(productId: String, transactionId: String, allow: Bool? = nil) {
            self.productId = productId
            self.transactionId = transactionId
            self.allow = allow
        }

        private enum Key: String, CodingKey { case productId, transactionId, allow }

        /// Writes `allow` as `null` if the eligibility rules decide, and leaves it out if the campaigns do.
        public func encode(to encoder: any Encoder) throws {
            var product = encoder.container(keyedBy: Key.self)
            try product.encode(productId, forKey: .productId)
            try product.encode(transactionId, forKey: .transactionId)
            if allow != nil || !asksCampaigns { try product.encode(allow, forKey: .allow) }
        }
    }

    /// The app's bundle id; nil if the access key or token is for one app only, or if the service has only one app.
    public var bundleId: String?
    /// Where the customer buys: `Production`, `Sandbox` or `Xcode`; nil for the environment in the app's configuration.
    public var environment: String?
    /// Your own id of the customer.
    public var customerId: String?
    /// The billing plan with which the customer would buy: `upfront`, or `monthly` for a commitment of twelve months that is paid
    /// monthly; nil for `upfront`. An offer is configured for one plan, and is none on the other.
    public var billingPlan: String?
    /// The place in the app that asks, as in `OffersRequest`.
    public var placement: String?
    /// What the app knows about the customer, for conditions of campaigns. The service does not verify it.
    public var attributes: [String: AttributeValue]?
    /// The `jwsRepresentation` of `AppTransaction.shared`, which proves the Apple account to the campaigns.
    public var signedAppTransaction: String?
    /// The products, 1 to 20. The results have the same order.
    public var products: [Product]

    /// Makes a request. Set further properties afterwards.
    public init(products: [Product], customerId: String? = nil, bundleId: String? = nil) {
        self.products = products
        self.customerId = customerId
        self.bundleId = bundleId
    }
}

/// The result for one product.
public enum IntroductoryOfferResult: Decodable, Equatable, Sendable {
    /// The service has signed an override: pass it to StoreKit in the purchase.
    case signed(compactJWS: String)
    /// The customer may have the offer anyway, so nothing was signed: buy without an override.
    case notNeeded
    /// The rules cannot decide, or the product has no introductory offer: buy without an override.
    case refused(code: String, reason: String)

    private enum Key: String, CodingKey { case status, compactJWS, code, reason }

    /// Reads the case that `status` names. Every status but `signed` and `not-needed` is read as a refusal.
    public init(from decoder: any Decoder) throws {
        let result = try decoder.container(keyedBy: Key.self)
        switch try result.decode(String.self, forKey: .status) {
        case "signed": self = .signed(compactJWS: try result.decode(String.self, forKey: .compactJWS))
        case "not-needed": self = .notNeeded
        default:
            self = .refused(
                code: try result.decode(String.self, forKey: .code), reason: try result.decode(String.self, forKey: .reason))
        }
    }

    /// The override to pass to StoreKit; nil if the purchase needs none.
    public var compactJWS: String? {
        if case .signed(let compactJWS) = self { compactJWS } else { nil }
    }
}

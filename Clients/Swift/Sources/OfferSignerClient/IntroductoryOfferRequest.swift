/// Asks for JWS that override whether a customer may have an introductory offer.
public struct IntroductoryOfferRequest: Encodable, Sendable {
    /// A product and the decision for it.
    public struct Product: Encodable, Sendable {
        /// Product id.
        public var productId: String
        /// Any transaction id of the customer, or the `appTransactionId`.
        public var transactionId: String
        /// `true` gives the offer again, which needs a permission; `false` does not; nil as the rules decide.
        public var allow: Bool?

        /// Names a product.
        public init(productId: String, transactionId: String, allow: Bool? = nil) {
            self.productId = productId
            self.transactionId = transactionId
            self.allow = allow
        }

        private enum Key: String, CodingKey { case productId, transactionId, allow }

        /// Writes `allow` also where it is nil: the service wants it said.
        public func encode(to encoder: any Encoder) throws {
            var product = encoder.container(keyedBy: Key.self)
            try product.encode(productId, forKey: .productId)
            try product.encode(transactionId, forKey: .transactionId)
            try product.encode(allow, forKey: .allow)
        }
    }

    /// The app's bundle id; nil where the credential is for one app.
    public var bundleId: String?
    /// `Production` or `Sandbox`; nil for the app's own.
    public var environment: String?
    /// The app's own id of the customer.
    public var customerId: String?
    /// The products, 1 to 20.
    public var products: [Product]

    /// Names the products, and the customer.
    public init(products: [Product], customerId: String? = nil, bundleId: String? = nil) {
        self.products = products
        self.customerId = customerId
        self.bundleId = bundleId
    }
}

/// The result for one product.
public enum IntroductoryOfferResult: Decodable, Equatable, Sendable {
    /// A compact JWS: buy with it.
    case signed(compactJWS: String)
    /// The customer may have the offer: buy without an override.
    case notNeeded
    /// No signature: buy without an override.
    case refused(code: String, reason: String)

    private enum Key: String, CodingKey { case status, compactJWS, code, reason }

    /// Reads the form that `status` names.
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

    /// The override to buy with; nil for none.
    public var compactJWS: String? {
        if case .signed(let compactJWS) = self { compactJWS } else { nil }
    }
}

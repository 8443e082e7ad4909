public import Foundation

/// Asks for signatures for promotional offers. Nil values are left out; the service's API document explains each field.
public struct SignatureRequest: Encodable, Sendable {
    /// A promotional offer of a product.
    public struct Offer: Encodable, Sendable {
        /// Product id; nil for an offer of any product, which campaigns choose.
        public var productId: String?
        /// The offer's id; nil to let campaigns choose.
        public var offerId: String?

        /// Names an offer.
        public init(productId: String?, offerId: String?) {
            self.productId = productId
            self.offerId = offerId
        }
    }

    /// The form of a signature.
    public enum Form: String, Encodable, Sendable {
        /// The original signature, for StoreKit 1 and 2.
        case payload
        /// The compact JWS, for StoreKit 2.
        case jws
    }

    /// The app's bundle id; nil where the credential is for one app.
    public var bundleId: String?
    /// `Production` or `Sandbox`; nil for the app's own.
    public var environment: String?
    /// The app's own id of the customer. A token of an end user names the customer by itself.
    public var customerId: String?
    /// The UUID that the app gives StoreKit; part of a payload signature.
    public var appAccountToken: UUID?
    /// In place of the UUID, the text that the app gives StoreKit 1.
    public var applicationUsername: String?
    /// Any transaction id of the customer; part of a JWS.
    public var transactionId: String?
    /// The Apple account.
    public var appTransactionId: String?
    /// What StoreKit 2 holds on the device: `jwsRepresentation` of transactions.
    public var signedTransactions: [String]?
    /// The form of the signatures.
    public var form: Form
    /// The offers, 1 to 20.
    public var offers: [Offer]
    /// Whether an outstanding signature of the same offer comes again in place of a new one.
    public var reuse: Bool?
    /// The place in the app, for campaigns.
    public var placement: String?
    /// What the app knows of the customer, unverified; for campaigns.
    public var attributes: [String: AttributeValue]?

    /// Names the offers, and the customer.
    public init(
        offers: [Offer],
        form: Form,
        customerId: String? = nil,
        bundleId: String? = nil,
        appAccountToken: UUID? = nil,
        transactionId: String? = nil,
        signedTransactions: [String]? = nil
    ) {
        self.bundleId = bundleId
        self.customerId = customerId
        self.appAccountToken = appAccountToken
        self.transactionId = transactionId
        self.signedTransactions = signedTransactions
        self.form = form
        self.offers = offers
    }
}

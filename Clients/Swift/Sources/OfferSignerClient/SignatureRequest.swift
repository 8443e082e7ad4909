public import Foundation

/// Asks for signatures for promotional offers. A property that is nil is left out of the request. The page docs/api.md of the
/// service explains each field.
public struct SignatureRequest: Encodable, Sendable {
    /// The promotional offer to sign. If the offer's id is nil, the live campaigns choose one.
    public struct Offer: Encodable, Sendable {
        /// The product's id; nil to let campaigns choose among the offers of all products.
        public var productId: String?
        /// The offer's id; nil to let campaigns choose an offer of the product.
        public var offerId: String?

        /// Names the product and the offer; nil leaves the choice to campaigns.
        public init(productId: String?, offerId: String?) {
            self.productId = productId
            self.offerId = offerId
        }
    }

    /// The form of a signature.
    public enum Form: String, Encodable, Sendable {
        /// The older form, a signature in DER and Base64, for StoreKit 1 and 2.
        case payload
        /// The newer form, a compact JWS, for StoreKit 2.
        case jws
    }

    /// The app's bundle id; nil if the access key or token is for one app only, or if the service has only one app.
    public var bundleId: String?
    /// Where the customer buys: `Production`, `Sandbox` or `Xcode`; nil for the environment in the app's configuration.
    public var environment: String?
    /// Your own id of the customer; nil if the request has the token of an end user, which names the customer by itself.
    public var customerId: String?
    /// The UUID that the app passes to StoreKit as `appAccountToken` in the purchase. A payload signature covers it, so the
    /// purchase must have the same one. A JWS does not cover it.
    public var appAccountToken: UUID?
    /// The text that the app passes to StoreKit 1 as `applicationUsername`, in place of `appAccountToken`.
    public var applicationUsername: String?
    /// Any transaction id of the customer. A JWS contains it, and a payload signature does not.
    public var transactionId: String?
    /// The `appTransactionId` of the customer's `AppTransaction` or transactions, which names the Apple account in this app.
    public var appTransactionId: String?
    /// The `jwsRepresentation` of transactions that StoreKit 2 has on the device, at most 20. The service verifies and stores
    /// them, and binds them to `customerId`, before it decides.
    public var signedTransactions: [String]?
    /// The form in which the service signs.
    public var form: Form
    /// The offers to sign, 1 to 20. The results have the same order.
    public var offers: [Offer]
    /// The billing plan with which the customer would buy: `upfront`, or `monthly` for a commitment of twelve months that is paid
    /// monthly; nil for `upfront`. An offer is configured for one plan, and is none on the other.
    public var billingPlan: String?
    /// The place in the app, for campaigns.
    public var placement: String?
    /// What the app knows about the customer, for conditions of campaigns. The service does not verify it.
    public var attributes: [String: AttributeValue]?

    /// Makes a request. Set further properties afterwards.
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

public import Foundation

/// Asks which offers a customer may have. One of the ids is required, unless a token of an end user names the customer.
public struct EligibilityRequest: Encodable, Sendable {
    /// The app's bundle id; nil where the credential is for one app.
    public var bundleId: String?
    /// `Production` or `Sandbox`; nil for the app's own.
    public var environment: String?
    /// The app's own id of the customer.
    public var customerId: String?
    /// The UUID that the app gives StoreKit.
    public var appAccountToken: UUID?
    /// Any transaction id of the customer.
    public var transactionId: String?
    /// The Apple account.
    public var appTransactionId: String?
    /// What StoreKit 2 holds on the device: `jwsRepresentation` of transactions, at most 200.
    public var signedTransactions: [String]?
    /// Product ids, at most 100; nil for the whole catalogue.
    public var products: [String]?

    /// Names the products, and the customer.
    public init(
        products: [String]? = nil, customerId: String? = nil, bundleId: String? = nil, signedTransactions: [String]? = nil
    ) {
        self.products = products
        self.customerId = customerId
        self.bundleId = bundleId
        self.signedTransactions = signedTransactions
    }
}

public import Foundation

/// Asks which offers a customer may have. A request with an access key must name the customer by at least one of `customerId`,
/// `appAccountToken`, `transactionId` and `appTransactionId`. The token of an end user names the customer by itself.
public struct EligibilityRequest: Encodable, Sendable {
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
    /// The billing plan with which the customer would buy: `upfront`, or `monthly` for a commitment of twelve months that is paid
    /// monthly; nil for `upfront`. An offer is configured for one plan, and is none on the other.
    public var billingPlan: String?
    /// Product ids, at most 100; nil for the whole catalogue.
    public var products: [String]?

    /// Makes a request. Set further properties afterwards.
    public init(
        products: [String]? = nil, customerId: String? = nil, bundleId: String? = nil, signedTransactions: [String]? = nil
    ) {
        self.products = products
        self.customerId = customerId
        self.bundleId = bundleId
        self.signedTransactions = signedTransactions
    }
}

public import Foundation

/// Asks the service to bind a subscription to a customer, so that the subscription belongs to this customer from then on.
public struct BindingRequest: Encodable, Sendable {
    /// The app's bundle id; nil if the access key or token is for one app only, or if the service has only one app.
    public var bundleId: String?
    /// Where the subscription was bought: `Production` or `Sandbox`; nil for the environment in the app's configuration.
    public var environment: String?
    /// Any transaction id of the subscription. The service need not know the subscription's history yet.
    public var transactionId: String
    /// Whether to take the subscription away from another customer to whom it is bound. The app's setting `transfer` must allow
    /// this.
    public var transfer: Bool?
    /// The UUID that the App Store puts into the subscription's transactions from now on. It has an effect only if the app has
    /// the setting `writeAppAccountToken`. If it is nil, the service takes the customer's id, if that is a UUID.
    public var appAccountToken: UUID?

    /// Names the subscription by one of its transactions.
    public init(transactionId: String, transfer: Bool? = nil, bundleId: String? = nil) {
        self.transactionId = transactionId
        self.transfer = transfer
        self.bundleId = bundleId
    }
}

/// What has changed through the binding.
public struct BindingAnswer: Decodable, Equatable, Sendable {
    /// `bound` if the subscription belonged to no customer before, `unchanged` if it belonged to this customer already, and
    /// `transferred` if it belonged to another one. A later version may have further values.
    public let status: String
    /// `written` if the App Store has taken the token, `not-written` if it has not; nil if there was no token to write.
    public let appAccountToken: String?
    /// Why the App Store has not taken the token. The subscription is bound all the same.
    public let reason: String?
}

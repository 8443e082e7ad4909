public import Foundation

/// Names the subscription that belongs to a customer.
public struct BindingRequest: Encodable, Sendable {
    /// The app's bundle id; nil where the credential is for one app.
    public var bundleId: String?
    /// `Production` or `Sandbox`; nil for the app's own.
    public var environment: String?
    /// Any transaction id of the subscription, whose history need not be known yet.
    public var transactionId: String
    /// Whether the subscription is taken from another customer who has it. The app's setting `transfer` must allow it.
    public var transfer: Bool?
    /// What the App Store puts into the subscription's transactions from then on, where the app has `writeAppAccountToken`.
    /// Nil for the customer's id, if that is a UUID.
    public var appAccountToken: UUID?

    /// Names the subscription.
    public init(transactionId: String, transfer: Bool? = nil, bundleId: String? = nil) {
        self.transactionId = transactionId
        self.transfer = transfer
        self.bundleId = bundleId
    }
}

/// What a binding has changed.
public struct BindingAnswer: Decodable, Equatable, Sendable {
    /// `bound`; `unchanged` if it was bound to the customer before; `transferred` if another customer had it until now. There can be
    /// others in a later version.
    public let status: String
    /// Whether the App Store has the token, `written` or `not-written`; nil if there was nothing to write.
    public let appAccountToken: String?
    /// Why the token was not written. The binding stands all the same.
    public let reason: String?
}

public import Foundation

/// Asks which offers live campaigns give a customer. One of the ids is required, unless a token of an end user names the customer.
public struct OffersRequest: Encodable, Sendable {
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
    /// The place in the app; nil for all campaigns.
    public var placement: String?
    /// What the app knows of the customer, unverified.
    public var attributes: [String: AttributeValue]?

    /// Names the place, and the customer.
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

/// What live campaigns give a customer.
public struct OffersAnswer: Decodable, Equatable, Sendable {
    /// An offer that a campaign gives.
    public struct Offer: Decodable, Equatable, Sendable {
        /// Product id.
        public let productId: String
        /// The offer's id.
        public let offerId: String
        /// The campaign that chose it.
        public let campaign: ChoosingCampaign
    }

    /// A campaign that has taken the customer.
    public struct Assignment: Decodable, Equatable, Sendable {
        /// The campaign's id.
        public let campaign: String
        /// The number of its revision.
        public let revision: Int
        /// The variant's id; `holdout` for a customer who is held out.
        public let variant: String
    }

    /// What the app may show, in the order in which campaigns decide.
    public let offers: [Offer]
    /// The campaigns that have taken the customer, controls included.
    public let assignments: [Assignment]
}

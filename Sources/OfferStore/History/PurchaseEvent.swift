public import EligibilityRules

/// A change of a customer's purchases that the company's systems may want to know.
public struct PurchaseEvent: Equatable, Sendable {
    /// What has changed.
    public typealias Kind = PurchaseNews.Kind

    /// What has changed.
    public let kind: Kind
    /// The app in an environment.
    public let partition: AppPartition
    /// When it took place, by the App Store's time.
    public let at: Instant
    /// The app's own id of the customer; nil while unknown.
    public let customerID: String?
    /// The customer that the subscription has moved from; nil unless it has moved.
    public var previousCustomerID: String?
    /// Apple's `originalTransactionId`.
    public let originalTransactionID: String
    /// Apple's `transactionId`; nil if the change does not concern a single transaction.
    public let transactionID: String?
    /// Product id; nil while unknown.
    public let productID: String?
    /// The offer's id; nil for none.
    public let offerID: String?

    /// Stores the given values without checking them.
    public init(
        kind: Kind,
        partition: AppPartition,
        at: Instant,
        customerID: String?,
        originalTransactionID: String,
        transactionID: String? = nil,
        productID: String? = nil,
        offerID: String? = nil
    ) {
        self.kind = kind
        self.partition = partition
        self.at = at
        self.customerID = customerID
        self.originalTransactionID = originalTransactionID
        self.transactionID = transactionID
        self.productID = productID
        self.offerID = offerID
    }
}

public import EligibilityRules

/// Statements about purchases, to be merged into the store completely or not at all.
public struct HistoryChange: Sendable {
    /// The app in an environment.
    public let partition: AppPartition
    /// The purchases' customer; nil if the source does not say. A chain without an owner gets this one.
    public internal(set) var claim: CustomerClaim?
    /// The source's statements.
    public let chains: [PurchaseChain]
    /// Whether one chain of another customer prevents the merge of all chains.
    public let isAllOrNothing: Bool
    /// Whether chains of other customers move to this one.
    public let transfers: Bool
    /// How much of the customer's purchases the source shows.
    public let extent: Extent
    /// The notification that the change comes from. A notification received before changes nothing.
    public let notification: NotificationRecord?
    /// The question of the notification about a refund; nil if it asks none, or none is answered.
    public let refund: RefundRequest?
    /// The receipts of the subscriptions. Each is stored unless its chain belongs to another customer.
    public let receipts: [KeptReceipt]
    /// When the change was received.
    public let receivedAt: Instant

    /// How much of an Apple account a source shows.
    public enum Extent: Sendable {
        /// Purchases of an environment other than the app's, which say nothing about the account.
        case foreign
        /// Some purchases, or the absence of some kind of purchase.
        case part
        /// The whole account.
        case account
    }

    /// Takes the values as they are.
    public init(
        partition: AppPartition,
        claim: CustomerClaim? = nil,
        chains: [PurchaseChain],
        isAllOrNothing: Bool = false,
        transfers: Bool = false,
        extent: Extent = .part,
        notification: NotificationRecord? = nil,
        refund: RefundRequest? = nil,
        receipts: [KeptReceipt] = [],
        receivedAt: Instant
    ) {
        self.partition = partition
        self.claim = claim
        self.chains = chains
        self.isAllOrNothing = isAllOrNothing
        self.transfers = transfers
        self.extent = extent
        self.notification = notification
        self.refund = refund
        self.receipts = receipts
        self.receivedAt = receivedAt
    }

    /// The purchases' customer; nil if the source does not say.
    public var customerID: String? { claim?.customerID }
}

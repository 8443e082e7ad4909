public import EligibilityRules

/// Statements about purchases, to be merged into the store completely or not at all.
public struct HistoryChange: Sendable {
    /// The app in an environment.
    public let partition: AppPartition
    /// The purchases' customer; nil if the source does not say. A chain without an owner gets this one.
    public internal(set) var claim: CustomerClaim?
    /// The source's statements.
    public let chains: [PurchaseChain]
    /// What becomes of chains of other customers.
    public let terms: Terms
    /// How much of the customer's purchases the source shows.
    public let extent: Extent
    /// The notification that the change comes from. A notification received before changes nothing.
    public let notification: NotificationRecord?
    /// The question of the notification about a refund; nil if it asks none, or none is answered.
    public var refund: RefundRequest?
    /// The receipts of the subscriptions. Each is stored unless its chain belongs to another customer.
    public let receipts: [KeptReceipt]
    /// When the change was received.
    public let receivedAt: Instant
    /// Whether it answers a poll. If so, its chains are not due for polling again at once.
    public var answersPoll = false

    /// What becomes of chains of other customers.
    public struct Terms: Sendable {
        /// Whether one of them prevents the merge of all chains.
        public let isAllOrNothing: Bool
        /// Whether they move to this customer.
        public let transfers: Bool

        /// Takes the values as they are.
        public init(isAllOrNothing: Bool = false, transfers: Bool = false) {
            self.isAllOrNothing = isAllOrNothing
            self.transfers = transfers
        }
    }

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
        terms: Terms = Terms(),
        extent: Extent = .part,
        notification: NotificationRecord? = nil,
        receipts: [KeptReceipt] = [],
        receivedAt: Instant
    ) {
        self.partition = partition
        self.claim = claim
        self.chains = chains
        self.terms = terms
        self.extent = extent
        self.notification = notification
        self.receipts = receipts
        self.receivedAt = receivedAt
    }

    /// The purchases' customer; nil if the source does not say.
    public var customerID: String? { claim?.customerID }
}

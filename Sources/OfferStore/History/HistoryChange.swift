public import EligibilityRules

/// Statements about purchases, to be merged into the store completely or not at all.
public struct HistoryChange: Sendable {
    /// The app in an environment.
    public let partition: AppPartition
    /// The customer to whom the purchases belong, with the proof; nil if the source does not say.
    ///
    /// A chain without an owner gets this customer as its owner.
    public internal(set) var claim: CustomerClaim?
    /// The source's statements.
    public let chains: [PurchaseChain]
    /// What happens if chains belong to other customers.
    public let terms: Terms
    /// How much of the customer's purchases the source shows.
    public let extent: Extent
    /// The notification that the change comes from. A notification received before changes nothing.
    public let notification: NotificationRecord?
    /// The App Store's question about a refund, from the notification; nil if it has none, or if none is to be answered.
    public var refund: RefundRequest?
    /// The receipts of the subscriptions. Each is stored unless its chain belongs to another customer.
    public let receipts: [KeptReceipt]
    /// When the change was received.
    public let receivedAt: Instant
    /// Whether the change is the answer to a poll.
    ///
    /// If so, its chains are not due for another poll at once.
    public var answersPoll = false

    /// What happens if chains belong to other customers.
    public struct Terms: Sendable {
        /// Whether nothing at all is merged if one of the chains stays with another customer.
        public let isAllOrNothing: Bool
        /// Whether chains of other customers move to this customer, whatever the proofs.
        public let transfers: Bool

        /// Stores the given values without checking them.
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

    /// Stores the given values without checking them.
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

public import EligibilityRules

/// News of purchases, to be merged into what is known; all of it, or nothing.
public struct HistoryChange: Sendable {
    /// The app in an environment.
    public let partition: AppPartition
    /// Whose purchases they are; nil when the source does not say. A chain without an owner gets this one.
    public internal(set) var claim: CustomerClaim?
    /// What the source states.
    public let chains: [PurchaseChain]
    /// Whether a chain of another customer's keeps the others from being merged, too.
    public let isAllOrNothing: Bool
    /// Whether chains of other customers become this one's.
    public let transfers: Bool
    /// What it tells about how much is known of the customer's purchases.
    public let extent: Extent
    /// The notification that brought it; a known one changes nothing.
    public let notification: NotificationRecord?
    /// The receipts of the subscriptions that it is about; each is kept unless its chain is another customer's.
    public let receipts: [KeptReceipt]
    /// When it came.
    public let receivedAt: Instant

    /// How much of an Apple account a source shows.
    public enum Extent: Sendable {
        /// Purchases of another environment than the app's: they tell nothing.
        case foreign
        /// Some purchases, or that there are none of some kind.
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
        self.receipts = receipts
        self.receivedAt = receivedAt
    }

    /// Whose purchases they are.
    public var customerID: String? { claim?.customerID }
}

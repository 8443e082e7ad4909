public import EligibilityRules

/// News of purchases, to be merged into what is known; all of it, or nothing.
public struct HistoryChange: Sendable {
    /// The app.
    public let bundleID: String
    /// Whose purchases they are; nil when the source does not say. A chain without an owner gets this one.
    public let customerID: String?
    /// What the source states.
    public let chains: [PurchaseChain]
    /// Whether a chain of another customer's keeps the others from being merged, too.
    public let isAllOrNothing: Bool
    /// The notification that brought it; a known one changes nothing.
    public let notification: NotificationRecord?
    /// When it came.
    public let receivedAt: Instant

    /// Takes the values as they are.
    public init(
        bundleID: String,
        customerID: String? = nil,
        chains: [PurchaseChain],
        isAllOrNothing: Bool = false,
        notification: NotificationRecord? = nil,
        receivedAt: Instant
    ) {
        self.bundleID = bundleID
        self.customerID = customerID
        self.chains = chains
        self.isAllOrNothing = isAllOrNothing
        self.notification = notification
        self.receivedAt = receivedAt
    }
}

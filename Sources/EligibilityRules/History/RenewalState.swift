/// What the App Store says about the next renewal of a subscription.
public struct RenewalState: Hashable, Comparable, Sendable {
    /// Whether it will renew; nil when not stated.
    public let willRenew: Bool?
    /// What it will renew to; nil when not stated.
    public let nextProductID: String?
    /// Whether the App Store is trying to collect the price; nil when not stated.
    public let isInBillingRetry: Bool?
    /// Until when service goes on unpaid; nil when there is no grace period.
    public let gracePeriodExpiresAt: Instant?
    /// Apple's `expirationIntent` 1…5; nil when not stated.
    public let expirationIntent: UInt8?

    /// Takes the values as they are.
    public init(
        willRenew: Bool? = nil,
        nextProductID: String? = nil,
        isInBillingRetry: Bool? = nil,
        gracePeriodExpiresAt: Instant? = nil,
        expirationIntent: UInt8? = nil
    ) {
        self.willRenew = willRenew
        self.nextProductID = nextProductID
        self.isInBillingRetry = isInBillingRetry
        self.gracePeriodExpiresAt = gracePeriodExpiresAt
        self.expirationIntent = expirationIntent
    }

    /// An order only for merging two statements of the same instant.
    public static func < (left: RenewalState, right: RenewalState) -> Bool {
        let (leftKey, rightKey) = (left.mergeKey, right.mergeKey)
        guard leftKey == rightKey else { return leftKey < rightKey }
        return TextOrder.precedes(left.nextProductID ?? "", right.nextProductID ?? "")
    }

    private var mergeKey: (Int, Int, Int64, Int, Int) {
        (
            willRenew.map { $0 ? 2 : 1 } ?? 0, isInBillingRetry.map { $0 ? 2 : 1 } ?? 0,
            gracePeriodExpiresAt?.milliseconds ?? .min, Int(expirationIntent ?? 0), nextProductID == nil ? 0 : 1
        )
    }
}

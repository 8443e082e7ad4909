/// What became of one unit after its first exposure, as far as is known by now.
public struct UnitOutcome: Hashable, Sendable {
    /// What was paid in one currency, in thousandths of its unit.
    public struct Payment: Hashable, Sendable {
        /// ISO 4217.
        public let currency: String
        /// Refunds taken off.
        public let amount: Int64

        /// Takes the values as they are.
        public init(currency: String, amount: Int64) {
            self.currency = currency
            self.amount = amount
        }
    }

    /// When its window is over.
    public let windowEndsAt: Instant
    /// Whether it is.
    public let isMatured: Bool
    /// When it reached the goal, with something that was not refunded; nil: it has not.
    public let convertedAt: Instant?
    /// Whether it reached the goal with nothing but what was refunded.
    public let isRefunded: Bool
    /// When it first redeemed an offer of its variant; nil: it has not. What was refunded counts, too.
    public let redeemedAt: Instant?
    /// Whether it redeemed one of Apple's own retention offers (`offerType` 5), which no signature allows.
    public let hasRetentionOffer: Bool
    /// What it paid, a place for each currency, in order.
    public let payments: [Payment]
    /// Whether it bought something whose price nobody has said: that is in no payment.
    public let hasUnknownPrice: Bool

    /// Takes the values as they are.
    public init(
        windowEndsAt: Instant,
        isMatured: Bool,
        convertedAt: Instant? = nil,
        isRefunded: Bool = false,
        redeemedAt: Instant? = nil,
        hasRetentionOffer: Bool = false,
        payments: [Payment] = [],
        hasUnknownPrice: Bool = false
    ) {
        self.windowEndsAt = windowEndsAt
        self.isMatured = isMatured
        self.convertedAt = convertedAt
        self.isRefunded = isRefunded
        self.redeemedAt = redeemedAt
        self.hasRetentionOffer = hasRetentionOffer
        self.payments = payments
        self.hasUnknownPrice = hasUnknownPrice
    }
}

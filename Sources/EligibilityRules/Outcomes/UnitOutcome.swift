/// The outcome of one unit after its first exposure, as known by now.
public struct UnitOutcome: Hashable, Sendable {
    /// A payment in one currency, in thousandths of its unit.
    public struct Payment: Hashable, Sendable {
        /// ISO 4217.
        public let currency: String
        /// The amount, minus refunds.
        public let amount: Int64

        /// Takes the values as they are.
        public init(currency: String, amount: Int64) {
            self.currency = currency
            self.amount = amount
        }
    }

    /// What it has paid by an instant.
    public struct Paid: Hashable, Sendable {
        /// One entry per currency, in order.
        public let payments: [Payment]
        /// Whether it bought something of unknown price, which is in no payment.
        public let hasUnknownPrice: Bool

        /// Takes the values as they are.
        public init(_ payments: [Payment] = [], hasUnknownPrice: Bool = false) {
            self.payments = payments
            self.hasUnknownPrice = hasUnknownPrice
        }

        /// No payment.
        public static let nothing = Paid()
    }

    /// What it has paid by the end of a longer time after its exposure.
    public struct Later: Hashable, Sendable {
        /// Whether that time is over.
        public let isOver: Bool
        /// What it has paid by then.
        public let paid: Paid
    }

    /// The longer times after an exposure by which revenue is counted, whatever the goal's window.
    public static let laterDays = [30, 90]

    /// When its window ends.
    public let windowEndsAt: Instant
    /// Whether its window is over.
    public let isMatured: Bool
    /// When it reached the goal, with something that was not refunded; nil if it has not.
    public let convertedAt: Instant?
    /// Whether it reached the goal only with what was refunded.
    public let isRefunded: Bool
    /// When it first redeemed an offer of its variant; nil if it has not. A refunded redemption counts, too.
    public let redeemedAt: Instant?
    /// Whether it redeemed one of Apple's own retention offers (`offerType` 5), which need no signature.
    public let hasRetentionOffer: Bool
    /// What it has paid within its window.
    public let paid: Paid
    /// What it has paid by `laterDays`, in that order.
    public let later: [Later]

    /// Takes the values as they are.
    public init(
        windowEndsAt: Instant,
        isMatured: Bool,
        convertedAt: Instant? = nil,
        isRefunded: Bool = false,
        redeemedAt: Instant? = nil,
        hasRetentionOffer: Bool = false,
        paid: Paid = .nothing,
        later: [Later] = []
    ) {
        self.windowEndsAt = windowEndsAt
        self.isMatured = isMatured
        self.convertedAt = convertedAt
        self.isRefunded = isRefunded
        self.redeemedAt = redeemedAt
        self.hasRetentionOffer = hasRetentionOffer
        self.paid = paid
        self.later = later
    }
}

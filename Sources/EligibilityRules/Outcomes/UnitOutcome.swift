/// The outcome of one unit after its first exposure, as it is known now.
public struct UnitOutcome: Hashable, Sendable {
    /// What a unit paid in one currency.
    public struct Payment: Hashable, Sendable {
        /// The currency's code (ISO 4217).
        public let currency: String
        /// The amount minus refunds, in thousandths of the currency's unit.
        public let amount: Int64

        /// Stores the given values without checking them.
        public init(currency: String, amount: Int64) {
            self.currency = currency
            self.amount = amount
        }
    }

    /// What a unit has paid by an instant.
    public struct Paid: Hashable, Sendable {
        /// The sum in each currency, in the order of the currencies.
        public let payments: [Payment]
        /// Whether the unit bought something whose price is not known and which is therefore in no payment.
        public let hasUnknownPrice: Bool

        /// Stores the given values without checking them.
        public init(_ payments: [Payment] = [], hasUnknownPrice: Bool = false) {
            self.payments = payments
            self.hasUnknownPrice = hasUnknownPrice
        }

        /// The unit paid nothing.
        public static let nothing = Paid()
    }

    /// What a unit has paid by the end of one of the longer times after its exposure.
    public struct Later: Hashable, Sendable {
        /// Whether that time is over.
        public let isOver: Bool
        /// What the unit has paid within that time so far.
        public let paid: Paid
    }

    /// The longer times after an exposure, in days, within which revenue is counted, whatever the goal's window is.
    public static let laterDays = [30, 90]

    /// When the unit's window ends.
    public let windowEndsAt: Instant
    /// Whether the unit's window is over.
    public let isMatured: Bool
    /// When the unit reached the goal with something that was not refunded; nil if it has not.
    public let convertedAt: Instant?
    /// Whether the unit reached the goal only with something that was refunded.
    public let isRefunded: Bool
    /// When the unit first redeemed an offer of its variant; nil if it has not.
    ///
    /// A refunded redemption counts, too.
    public let redeemedAt: Instant?
    /// Whether the unit redeemed one of Apple's own retention offers (`offerType` 5), which need no signature.
    public let hasRetentionOffer: Bool
    /// What the unit has paid within its window.
    public let paid: Paid
    /// What the unit has paid within each of `laterDays`, in that order.
    public let later: [Later]

    /// Stores the given values without checking them.
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

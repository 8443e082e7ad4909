/// How often a promotional offer is signed, for one customer and for all customers together.
///
/// A nil value sets no limit.
public struct OfferLimits: Hashable, Sendable {
    /// The most redemptions by one customer, including those that outstanding signatures may still lead to.
    public let perCustomer: Int?
    /// How long a redemption counts toward `perCustomer`; nil means forever.
    public let per: CalendarPeriod?
    /// The time after a redemption until the customer may have the offer again.
    public let cooldown: CalendarPeriod?
    /// Whether the offer is refused to customers who are subscribed in the product's group.
    public let notWhileActive: Bool
    /// The most signatures that one customer may have outstanding: not redeemed, and still accepted by the App Store.
    public let outstanding: Int?
    /// The most redemptions by all customers, including those that outstanding signatures may still lead to.
    public let total: Int?
    /// Whether a redemption still counts after it was refunded.
    public let countsRefunded: Bool

    /// Stores the given values without checking them.
    public init(
        perCustomer: Int? = nil,
        per: CalendarPeriod? = nil,
        cooldown: CalendarPeriod? = nil,
        notWhileActive: Bool = false,
        outstanding: Int? = nil,
        total: Int? = nil,
        countsRefunded: Bool = true
    ) {
        self.perCustomer = perCustomer
        self.per = per
        self.cooldown = cooldown
        self.notWhileActive = notWhileActive
        self.outstanding = outstanding
        self.total = total
        self.countsRefunded = countsRefunded
    }

    /// Whether nothing is limited.
    public var isEmpty: Bool { !concernsCustomer && total == nil }

    /// Whether a limit depends on the customer.
    public var concernsCustomer: Bool { perCustomer != nil || cooldown != nil || outstanding != nil || notWhileActive }
}

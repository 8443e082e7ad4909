/// How often a promotional offer is signed: for one customer, and in all. What is nil limits nothing.
public struct OfferLimits: Hashable, Sendable {
    /// Redemptions of one customer, those included that outstanding signatures may still lead to.
    public let perCustomer: Int?
    /// For how long a redemption counts for `perCustomer`; nil: for ever.
    public let per: CalendarPeriod?
    /// How long after a redemption the customer gets the offer again.
    public let cooldown: CalendarPeriod?
    /// Whether a customer who is subscribed in the product's group goes without.
    public let notWhileActive: Bool
    /// Signatures of one customer that the App Store would still take.
    public let outstanding: Int?
    /// Redemptions of all customers, those included that outstanding signatures may still lead to.
    public let total: Int?
    /// Whether a redemption counts although it was refunded.
    public let countsRefunded: Bool

    /// Takes the values as they are.
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

    /// Whether anything is limited.
    public var isEmpty: Bool { !concernsCustomer && total == nil }

    /// Whether it matters who asks.
    public var concernsCustomer: Bool { perCustomer != nil || cooldown != nil || outstanding != nil || notWhileActive }
}

/// How often a promotional offer is signed, for one customer and for all customers together.
///
/// Limits count redemptions and places. The signatures of one customer that are not redeemed yet hold one place together, because
/// a customer who cancels and taps again needs a new signature for the same purchase. A redemption uses the place up.
public struct OfferLimits: Hashable, Sendable {
    /// How many signatures one customer may have outstanding at the same time, if the limits do not say.
    public static let defaultOutstanding = 10

    /// The most redemptions by one customer, and the place that may lead to another one; nil for any number.
    public let perCustomer: Int?
    /// How long a redemption counts toward `perCustomer`; nil means forever.
    public let per: CalendarPeriod?
    /// The time after a redemption until the customer may have the offer again; nil for none.
    public let cooldown: CalendarPeriod?
    /// Whether the offer is refused to customers who are subscribed in the product's group.
    public let notWhileActive: Bool
    /// The most signatures that one customer may have outstanding at the same time: not redeemed, and still accepted by the App
    /// Store. Nil for `defaultOutstanding`.
    ///
    /// A customer can redeem all of them, so this bounds how far a customer can exceed the other limits.
    public let outstanding: Int?
    /// The most redemptions by all customers, and the places that may lead to others; nil for any number.
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

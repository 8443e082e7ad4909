/// How often a campaign gives any of its offers. A nil value sets no limit.
public struct CampaignLimits: Hashable, Sendable {
    /// The number of offers to one customer.
    public let perCustomer: Int?
    /// How long an offer counts toward `perCustomer`; nil means forever.
    public let per: CalendarPeriod?
    /// The number of offers to all customers together.
    public let total: Int?

    /// Takes the values as they are.
    public init(perCustomer: Int? = nil, per: CalendarPeriod? = nil, total: Int? = nil) {
        self.perCustomer = perCustomer
        self.per = per
        self.total = total
    }

    /// The same limits in the terms of an offer's. They count every offer given in the campaign's name.
    public var terms: OfferLimits { OfferLimits(perCustomer: perCustomer, per: per, total: total) }
}

/// How often a campaign gives its offers, whichever of them; what is nil limits nothing.
public struct CampaignLimits: Hashable, Sendable {
    /// To one customer.
    public let perCustomer: Int?
    /// For how long an offer counts for `perCustomer`; nil: for ever.
    public let per: CalendarPeriod?
    /// To all customers.
    public let total: Int?

    /// Takes the values as they are.
    public init(perCustomer: Int? = nil, per: CalendarPeriod? = nil, total: Int? = nil) {
        self.perCustomer = perCustomer
        self.per = per
        self.total = total
    }

    /// The same in the terms of an offer's limits: what counts is what was given in the campaign's name, any offer of it.
    public var terms: OfferLimits { OfferLimits(perCustomer: perCustomer, per: per, total: total) }
}

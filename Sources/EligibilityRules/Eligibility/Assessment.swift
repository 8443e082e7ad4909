/// What is known and said of one customer at one instant: worked out once, and only printed after that.
public struct Assessment: Sendable {
    /// The instant.
    public let asOf: Instant
    /// How much of the purchases is known.
    public let completeness: Completeness
    /// When anything of the history last changed; nil when nothing was ever supplied.
    public let historyUpdatedAt: Instant?
    /// One for each product that was asked about, in that order.
    public let products: [ProductAssessment]
    /// Whose the running subscription of the Apple account is that was asked about; nil where none was.
    public var subscriptionOwner: AccountChain.Owner?

    /// Judges a customer; borrowed, since a copy of one counts ten references.
    public init(of customer: borrowing Customer, on products: [SubscriptionProduct], historyUpdatedAt: Instant?) {
        asOf = customer.now
        completeness = customer.completeness
        self.historyUpdatedAt = historyUpdatedAt
        // The same for all of an app's offers: worked out once.
        let promotional = PromotionalOfferRule.verdict(for: customer)
        var assessments: [ProductAssessment] = []
        assessments.reserveCapacity(products.count)
        for product in products {
            assessments.append(ProductAssessment(of: customer, on: product, promotional: promotional))
        }
        self.products = assessments
    }
}

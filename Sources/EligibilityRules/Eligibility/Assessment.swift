/// What is known and decided about one customer at one instant. It is computed once and then only printed.
public struct Assessment: Sendable {
    /// The instant.
    public let asOf: Instant
    /// How much of the purchases is known.
    public let completeness: Completeness
    /// When the history last changed; nil if none was ever supplied.
    public let historyUpdatedAt: Instant?
    /// One for each requested product, in the requested order.
    public let products: [ProductAssessment]
    /// The owner of the running subscription of the requested Apple account; nil where none was requested.
    public var subscriptionOwner: AccountChain.Owner?

    /// Assesses a customer, which is borrowed because a copy counts ten references.
    public init(of customer: borrowing Customer, on products: [SubscriptionProduct], historyUpdatedAt: Instant?) {
        asOf = customer.now
        completeness = customer.completeness
        self.historyUpdatedAt = historyUpdatedAt
        // The same for all of an app's offers, so it is computed once.
        let promotional = PromotionalOfferRule.verdict(for: customer)
        var assessments: [ProductAssessment] = []
        assessments.reserveCapacity(products.count)
        for product in products {
            assessments.append(ProductAssessment(of: customer, on: product, promotional: promotional))
        }
        self.products = assessments
    }
}

/// What a campaign's offers may cost in one storefront: what customers who take them pay less than the regular price.
public struct CampaignCost: Hashable, Sendable {
    /// The greatest discount of one customer.
    public let perCustomer: Money
    /// The discounts of the variants, each times its weight.
    private let weighted: Int128

    /// Nil if no offer has a known price there, or not every offer has.
    ///
    /// - Parameter variants: the offers of each variant, with its weight in basis points.
    public init?(
        _ variants: [(weight: Int, offers: [CampaignVariant.Offer])],
        _ catalogue: Catalogue,
        in storefront: String
    ) {
        var (sum, greatest, currency): (Int128, Int64, String?) = (0, 0, nil)
        for variant in variants {
            var discount: Int64 = 0
            for offer in variant.offers {
                guard let product = catalogue.product(offer.productID),
                    let found = product.promotionalOffers[ExactText(offer.offerID)],
                    let money = OfferPrice(found, of: product, in: storefront).discount,
                    currency == nil || currency == money.currency
                else { return nil }
                currency = money.currency
                discount = max(discount, money.amount)
            }
            greatest = max(greatest, discount)
            sum += Int128(max(0, min(variant.weight, Bucket.count))) * Int128(discount)
        }
        guard let currency else { return nil }
        perCustomer = Money(amount: greatest, currency: currency)
        weighted = sum
    }

    /// The cost if each customer takes an offer once; nil for a rate outside of 0...1, and for more than can be said.
    ///
    /// - Parameters:
    ///   - customers: how many fit the audience.
    ///   - letIn: the share of them that gets a variant, after hold-out and enrolment, in units of 1/10,000².
    ///   - limit: the number of offers that all customers together can have; nil: no limit.
    ///   - rate: the share that takes an offer.
    public func total(customers: Int, letIn: Int, limit: Int?, rate: Double = 1) -> Money? {
        guard (0...1).contains(rate) else { return nil }
        let count = Double(Bucket.count)
        let all = Double(weighted) * Double(customers) * Double(letIn) / (count * count * count) * rate
        let capped = limit.map { min(all, Double($0) * Double(perCustomer.amount)) } ?? all
        return Int64(exactly: capped.rounded()).map { Money(amount: $0, currency: perCustomer.currency) }
    }
}

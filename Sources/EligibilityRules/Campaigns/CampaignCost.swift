/// What a campaign's offers may cost in one storefront: what customers who take them pay less than the regular price.
public struct CampaignCost: Hashable, Sendable {
    /// The greatest discount of one customer.
    public let perCustomer: Money
    /// If all customers take an offer.
    public let most: Money
    /// If only the expected share takes one; nil without a share of 0...1.
    public let expected: Money?

    /// Nil if no offer has a known price there, or not every offer has.
    ///
    /// - Parameters:
    ///   - customers: how many fit the audience.
    ///   - letIn: the share of them that gets a variant, after hold-out and enrolment, in units of 1/10,000².
    ///   - variants: the offers of each variant, with its weight in basis points.
    ///   - rate: the share that is expected to take an offer.
    public init?(
        customers: Int,
        letIn: Int,
        variants: [(weight: Int, offers: [CampaignVariant.Offer])],
        rate: Double?,
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
        let shares = Int128(Bucket.count) * Int128(Bucket.count) * Int128(Bucket.count)
        guard let amount = Int64(exactly: (sum * Int128(customers) * Int128(letIn) + shares - 1) / shares) else { return nil }
        perCustomer = Money(amount: greatest, currency: currency)
        most = Money(amount: amount, currency: currency)
        expected = rate.flatMap { (0...1).contains($0) ? Int64(exactly: (Double(amount) * $0).rounded()) : nil }
            .map { Money(amount: $0, currency: currency) }
    }
}

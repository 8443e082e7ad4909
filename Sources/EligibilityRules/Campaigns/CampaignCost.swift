/// What a campaign's offers may cost in one storefront.
///
/// The cost of an offer is the amount by which a customer who takes it pays less than the regular price.
public struct CampaignCost: Hashable, Sendable {
    /// The greatest discount that one customer can get.
    public let perCustomer: Money
    /// The sum over all variants: the variant's greatest discount times its weight in basis points.
    private let weighted: Int128

    /// Adds up the discounts of all variants.
    ///
    /// The result is nil if there is no offer, if the discount of any offer is unknown in the storefront, or if the prices are in
    /// several currencies.
    ///
    /// An introductory offer costs something only if the campaign gives it again: without the campaign a customer who never had
    /// it gets it, too.
    public init?(_ design: CampaignDesign, _ catalogue: Catalogue, in storefront: String) {
        var (sum, greatest, currency): (Int128, Int64, String?) = (0, 0, nil)
        for variant in design.variants {
            var discount: Int64 = 0
            var given = variant.offers.map { (productID: $0.productID, offerID: String?.some($0.offerID)) }
            if design.givesIntroductoryOfferAgain, let offer = variant.introductoryOffer, offer.isAllowed {
                given.append((offer.productID, nil))
            }
            for (productID, offerID) in given {
                guard let product = catalogue.product(productID) else { return nil }
                let found =
                    offerID.map { [product.promotionalOffers[ExactText($0)]].compactMap(\.self) } ?? product.introductoryOffers
                if found.isEmpty { return nil }
                for offer in found {
                    guard let money = OfferPrice(offer, of: product, in: storefront).discount,
                        currency == nil || currency == money.currency
                    else { return nil }
                    currency = money.currency
                    discount = max(discount, money.amount)
                }
            }
            greatest = max(greatest, discount)
            sum += Int128(max(0, min(variant.weight, Bucket.count))) * Int128(discount)
        }
        guard let currency else { return nil }
        perCustomer = Money(amount: greatest, currency: currency)
        weighted = sum
    }

    /// Returns the cost if each customer takes at most one offer.
    ///
    /// The result is nil if the rate lies outside of 0...1, or if the cost is too large for an `Int64`.
    ///
    /// - Parameters:
    ///   - customers: how many customers fit the audience.
    ///   - letIn: the share of these customers that gets a variant, after holdout and enrolment, in units of 1/10,000².
    ///   - limit: the number of offers that all customers together can have; nil for no limit.
    ///   - rate: the share of the customers with a variant that takes an offer.
    public func total(customers: Int, letIn: Int, limit: Int?, rate: Double = 1) -> Money? {
        guard (0...1).contains(rate) else { return nil }
        let count = Double(Bucket.count)
        let all = Double(weighted) * Double(customers) * Double(letIn) / (count * count * count) * rate
        let capped = limit.map { min(all, Double($0) * Double(perCustomer.amount)) } ?? all
        return Int64(exactly: capped.rounded()).map { Money(amount: $0, currency: perCustomer.currency) }
    }
}

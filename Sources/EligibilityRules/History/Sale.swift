/// The price and the storefront of a purchase, as far as any source says. None of it can change.
public struct Sale: Hashable, Sendable {
    /// In thousandths of the currency's unit, as the App Store counts: 9990 is 9.99.
    public let price: Int64?
    /// ISO 4217.
    public let currency: String?
    /// ISO 3166-1 alpha-3.
    public let storefront: String?
    /// Apple's `offerDiscountType`, recognised or not.
    public let discount: String?

    /// Nil if nothing is stated.
    public init?(price: Int64? = nil, currency: String? = nil, storefront: String? = nil, discount: String? = nil) {
        guard price != nil || currency != nil || storefront != nil || discount != nil else { return nil }
        self.price = price
        self.currency = currency
        self.storefront = storefront
        self.discount = discount
    }

    /// Apple's `offerDiscountType` of a period that costs nothing.
    public static let freeTrial = "FREE_TRIAL"

    /// Whether it cost nothing.
    public var isFree: Bool { price == 0 || discount == Sale.freeTrial }

    /// Returns what both statements say together, independent of order.
    func merged(with other: Sale) -> Sale {
        Sale(
            price: price.greater(other.price), currency: TextOrder.later(currency, other.currency),
            storefront: TextOrder.later(storefront, other.storefront), discount: TextOrder.later(discount, other.discount))!
    }
}

extension Optional<Sale> {
    /// Returns both statements together, or the only one.
    func merged(with other: Sale?) -> Sale? {
        guard let self else { return other }
        return other.map(self.merged) ?? self
    }
}

/// The price and the storefront of a purchase, as far as sources say.
///
/// Only the refund can change after the purchase.
public struct Sale: Hashable, Sendable {
    /// What was charged for all seats of a subscription together.
    ///
    /// The `price` of such a sale is the average price of a seat.
    public enum Seats: Hashable, Comparable, Sendable {
        /// The App Store has not stated the sum in a form that can be read.
        case unknown
        /// The sum in thousandths of the currency's unit.
        case charged(Int64)

        /// The order serves only for merging.
        public static func < (left: Seats, right: Seats) -> Bool { left.rank < right.rank }

        private var rank: Int64 { if case .charged(let sum) = self { sum } else { -1 } }
    }

    /// The highest price that is believed, in thousandths of a currency's unit.
    ///
    /// It is far above any real price: even ten million units of a cheap currency are less. A higher price would spoil the sums
    /// of all purchases, so it counts as not stated.
    static let highestPrice: Int64 = 1_000_000_000_000

    /// The price that the App Store states, in thousandths of the currency's unit: 9990 is 9.99.
    ///
    /// For a purchase with seats it is the average price of a seat. Nil if not stated.
    public let price: Int64?
    /// The currency's code (ISO 4217); nil if not stated.
    public let currency: String?
    /// The storefront's country (ISO 3166-1 alpha-3); nil if not stated.
    public let storefront: String?
    /// Apple's `offerDiscountType` as received, even if it is not recognised; nil if not stated.
    public let discount: String?
    /// What was charged for all seats; nil for a purchase without seats.
    public let seats: Seats?
    /// What the App Store last stated about a refund of a part; nil if it stated nothing.
    public internal(set) var refund: Stamped<Refund>?

    /// Creates a sale; nil if nothing is stated, or only that no part was refunded.
    public init?(
        price: Int64? = nil,
        currency: String? = nil,
        storefront: String? = nil,
        discount: String? = nil,
        seats: Seats? = nil,
        refund: Stamped<Refund>? = nil
    ) {
        let isPriced = price != nil || currency != nil || storefront != nil || discount != nil || seats != nil
        guard isPriced || refund.map({ $0.value != .none }) ?? false else { return nil }
        self.price = price
        self.currency = currency
        self.storefront = storefront
        self.discount = discount
        self.seats = seats
        self.refund = refund
    }

    /// Apple's `offerDiscountType` of a period that costs nothing.
    public static let freeTrial = "FREE_TRIAL"

    /// Whether the purchase cost nothing.
    public var isFree: Bool { charged == 0 || discount == Sale.freeTrial }

    /// What was charged for the whole purchase before refunds, in thousandths of the currency's unit; nil if it is not known.
    public var charged: Int64? {
        let sum: Int64?
        switch seats {
        case nil: sum = price
        case .unknown: sum = nil
        case .charged(let all): sum = all
        }
        return sum.flatMap { (0...Sale.highestPrice).contains($0) ? $0 : nil }
    }

    /// Returns what two statements say together; the result does not depend on their order.
    func merged(with other: Sale) -> Sale {
        Sale(
            price: price.greater(other.price), currency: TextOrder.later(currency, other.currency),
            storefront: TextOrder.later(storefront, other.storefront), discount: TextOrder.later(discount, other.discount),
            seats: seats.greater(other.seats), refund: refund.merged(with: other.refund))!
    }
}

extension Optional<Sale> {
    /// Returns what two statements say together, or the only one that there is.
    func merged(with other: Sale?) -> Sale? {
        guard let self else { return other }
        return other.map(self.merged) ?? self
    }
}

/// What the App Store has said about a refund of a part of the price.
public enum Refund: Hashable, Comparable, Sendable {
    /// The App Store has not spoken of a part.
    ///
    /// If the purchase was revoked, it was then refunded as a whole, otherwise not at all.
    case none
    /// The App Store refunded this part of a whole: some of all seats, or thousandths of a percent of the price.
    case part(Int64, of: Int64)
    /// The App Store refunded a part, but has not said how much.
    case unknown

    /// The order serves only for merging two statements of the same instant.
    public static func < (left: Refund, right: Refund) -> Bool { left.rank < right.rank }

    private var rank: (Int, Int64, Int64) {
        switch self {
        case .none: (0, 0, 0)
        case .part(let part, let whole): (1, part, whole)
        case .unknown: (2, 0, 0)
        }
    }

    /// Returns what is left of an amount after the refund; nil if it is not known.
    ///
    /// Amounts are in thousandths of the currency's unit. The result is rounded to the nearest one.
    func rest(of amount: Int64) -> Int64? {
        switch self {
        case .none: return amount
        case .unknown: return nil
        case .part(let part, let whole):
            guard whole > 0, (0...whole).contains(part) else { return nil }
            return Int64((Int128(amount) * Int128(whole - part) * 2 + Int128(whole)) / (Int128(whole) * 2))
        }
    }
}

/// The price and the storefront of a purchase, as far as any source says. Only what was refunded can change.
public struct Sale: Hashable, Sendable {
    /// What was charged for all seats of a subscription. Its `price` is then the average of a seat.
    public enum Seats: Hashable, Comparable, Sendable {
        /// The sum is not stated in a way that can be read.
        case unknown
        /// In thousandths of the currency's unit.
        case charged(Int64)

        /// The order serves only for merging.
        public static func < (left: Seats, right: Seats) -> Bool { left.rank < right.rank }

        private var rank: Int64 { if case .charged(let sum) = self { sum } else { -1 } }
    }

    /// A price above any purchase's, in thousandths of a currency's unit. Ten million units of the cheapest currency stay below
    /// it. One that is higher would make the sums of all others wrong, so it counts as not stated.
    static let highestPrice: Int64 = 1_000_000_000_000

    /// As the App Store states it, in thousandths of the currency's unit: 9990 is 9.99. With seats, the average of a seat.
    public let price: Int64?
    /// ISO 4217.
    public let currency: String?
    /// ISO 3166-1 alpha-3.
    public let storefront: String?
    /// Apple's `offerDiscountType`, recognised or not.
    public let discount: String?
    /// Nil for a purchase without seats.
    public let seats: Seats?
    /// The part of it that was refunded, as last stated.
    public internal(set) var refund: Stamped<Refund>?

    /// Nil if nothing is stated, or only that no part was refunded.
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

    /// Whether it cost nothing.
    public var isFree: Bool { charged == 0 || discount == Sale.freeTrial }

    /// What was charged for all of it, before refunds, in thousandths of the currency's unit; nil if it is not known.
    public var charged: Int64? {
        let sum: Int64?
        switch seats {
        case nil: sum = price
        case .unknown: sum = nil
        case .charged(let all): sum = all
        }
        return sum.flatMap { (0...Sale.highestPrice).contains($0) ? $0 : nil }
    }

    /// Returns what both statements say together, independent of order.
    func merged(with other: Sale) -> Sale {
        Sale(
            price: price.greater(other.price), currency: TextOrder.later(currency, other.currency),
            storefront: TextOrder.later(storefront, other.storefront), discount: TextOrder.later(discount, other.discount),
            seats: seats.greater(other.seats), refund: refund.merged(with: other.refund))!
    }
}

extension Optional<Sale> {
    /// Returns both statements together, or the only one.
    func merged(with other: Sale?) -> Sale? {
        guard let self else { return other }
        return other.map(self.merged) ?? self
    }
}

/// What the App Store has said of a refund that gives back a part of a price.
public enum Refund: Hashable, Comparable, Sendable {
    /// It speaks of no part. A revoked purchase was then refunded as a whole, any other not at all.
    case none
    /// It gave back so many parts of the whole: seats of all seats, or thousandths of a percent.
    case part(Int64, of: Int64)
    /// It gave back a part, but has not said how much.
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

    /// Returns what is left of an amount, rounded to the nearest thousandth; nil if it is not known.
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

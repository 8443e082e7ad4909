import EligibilityRules
import WireText

/// What a signed transaction says of its price, its seats and their refund.
enum SignedSale {
    /// Apple's `revocationPercentage` of the whole.
    private static let wholePercentage: Int64 = 100_000

    /// Returns nil if nothing is stated.
    ///
    /// - Parameter refundsSeats: whether it belongs to a refund of seats.
    static func sale(_ payload: AppleObject, _ stamp: Stamp, refundsSeats: Bool) -> Sale? {
        Sale(
            price: payload.integer("price"), currency: payload.text("currency"), storefront: payload.text("storefront"),
            discount: payload.text("offerDiscountType"), seats: seats(payload),
            refund: Stamped(refund(payload, refundsSeats: refundsSeats), stamp))
    }

    /// Whether refunds have left some of a transaction's seats.
    static func hasSeatsLeft(_ payload: AppleObject) -> Bool {
        guard let revoked = revokedSeats(payload), let all = payload.integer("quantity") else { return false }
        return revoked < all
    }

    private static func revokedSeats(_ payload: AppleObject) -> Int64? {
        payload.object("multiSeatInfo")?.integer("revokedSeatQuantity")
    }

    /// The sum of the tiers: `price` is the average of a seat. A transaction with several seats and without tiers has only that.
    private static func seats(_ payload: AppleObject) -> Sale.Seats? {
        let quantity = payload.integer("quantity")
        let info = payload.object("multiSeatInfo")
        // A price of other products is that of all pieces.
        guard info != nil || (payload.text("type") == "Auto-Renewable Subscription" && quantity.map { $0 != 1 } ?? false) else {
            return nil
        }
        let tiers: [(price: Int64?, quantity: Int64?)]
        if let info, let listed = info["priceTiers"], listed != .null {
            guard case .array(let values) = listed else { return .unknown }
            tiers = values.map { AppleObject($0) }.map { ($0?.integer("price"), $0?.integer("quantity")) }
        } else {
            tiers = [(payload.integer("price"), quantity)]
        }
        var (sum, count): (Int64, Int64) = (0, 0)
        for tier in tiers {
            guard let price = tier.price, let seats = tier.quantity, price >= 0, seats > 0 else { return .unknown }
            let (product, overflow) = price.multipliedReportingOverflow(by: seats)
            let (total, overflows) = sum.addingReportingOverflow(product)
            guard !overflow, !overflows else { return .unknown }
            (sum, count) = (total, count + seats)
        }
        return count > 0 && quantity.map { $0 == count } ?? true ? .charged(sum) : .unknown
    }

    private static func refund(_ payload: AppleObject, refundsSeats: Bool) -> Refund {
        // The percentage is of all seats, so that it comes before their number.
        if let value = payload["revocationPercentage"], value != .null {
            guard let percentage = payload.code("revocationPercentage"), (0...wholePercentage).contains(percentage) else {
                return .unknown
            }
            return .part(percentage, of: wholePercentage)
        }
        if let revoked = revokedSeats(payload), revoked != 0 {
            guard let all = payload.integer("quantity"), (0...all).contains(revoked) else { return .unknown }
            return .part(revoked, of: all)
        }
        switch payload.text("revocationType") {
        case nil, "REFUND_FULL", "FAMILY_REVOKE": return refundsSeats ? .unknown : .none
        default: return .unknown
        }
    }
}

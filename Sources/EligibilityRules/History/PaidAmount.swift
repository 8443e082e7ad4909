/// What a customer has paid for a purchase, less what was refunded.
///
/// Revenue, facts, audiences, timelines and exports all get it from `PurchaseTransaction.paid(by:)`.
public enum PaidAmount: Hashable, Sendable {
    /// The purchase was free or wholly refunded, or another person paid for it.
    case nothing
    /// The customer has paid this amount, which is not 0.
    case amount(Money)
    /// The App Store has not said what the purchase cost, or how much of that was refunded.
    case unknown

    /// The amount in thousandths of the currency's unit; nil if it is not known.
    public var thousandths: Int64? {
        switch self {
        case .nothing: 0
        case .amount(let money): money.amount
        case .unknown: nil
        }
    }
}

extension PurchaseTransaction {
    /// Returns what the customer has paid for the purchase, less what was refunded.
    ///
    /// - Parameter now: a revocation after this instant is ignored. By default every known revocation counts.
    public func paid(by now: Instant = Instant(milliseconds: .max)) -> PaidAmount {
        switch ownership {
        case .familyShared, .assigned: return .nothing
        case .unrecognised: return .unknown
        case nil, .purchased: break
        }
        if sale?.isFree == true { return .nothing }
        let isRevoked = revokedAt.map { $0 <= now } ?? false
        // The refund of a revoked purchase does not count before the revocation. A refund of some seats has no revocation, and
        // always counts.
        let refund = revokedAt == nil || isRevoked ? sale?.refund?.value ?? .none : .none
        if isRevoked, refund == .none { return .nothing }
        guard let sale, let charged = sale.charged, let rest = refund.rest(of: charged) else { return .unknown }
        if rest == 0 { return .nothing }
        return sale.currency.map { .amount(Money(amount: rest, currency: $0)) } ?? .unknown
    }
}

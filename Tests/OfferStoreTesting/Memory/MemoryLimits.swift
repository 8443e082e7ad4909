import EligibilityRules
import Foundation
import OfferStore

/// What counts for limits, in its simplest form: all of it is looked at each time.
struct MemoryLimits {
    var reservations: [Reservation] = []
    private var redemptions: [String: CountedRedemption] = [:]
    /// Where else than under the offer's names they count, because their signatures did.
    private var staying: [String: Set<String>] = [:]

    func findings(_ wanted: [Reservation], for entry: LedgerEntry?, among entries: [LedgerEntry]) -> [LimitFinding] {
        wanted.enumerated().compactMap { index, reservation in
            let pending = wanted[..<index].count { $0.limit == reservation.limit }
            switch reservation.rule {
            case .uses(let terms): return finding(reservation, terms, pending, entry, entries)
            case .total(let max, let countsRefunded):
                let name = reservation.limit
                let outstanding = reservations.filter { $0.entered.contains(name) && $0.expiresAt > reservation.madeAt }
                let redeemed = redemptions.count { key, redemption in
                    (redemption.total == name || staying[key]?.contains(name) ?? false)
                        && (countsRefunded || !redemption.isRefunded)
                }
                let counted = outstanding.count + redeemed
                guard counted + pending >= max else { return nil }
                let first = counted - max < outstanding.count ? outstanding.map(\.expiresAt).min() : nil
                return LimitFinding(
                    reservation.limit, .usedUp(LimitEvidence(.total, max: max, counted: counted + pending, freesAt: first)),
                    room: pending)
            }
        }
    }

    private func finding(
        _ reservation: Reservation,
        _ terms: LimitTerms,
        _ pending: Int,
        _ entry: LedgerEntry?,
        _ entries: [LedgerEntry]
    ) -> LimitFinding? {
        let names = reservation.counted
        let outstanding = reservations.filter { !names.isDisjoint(with: $0.entered) && $0.expiresAt > reservation.madeAt }
        for known in outstanding where reservation.takesEarlier(until: known.expiresAt) && !known.token.isEmpty {
            let signed = entries.first { $0.signatures.contains { $0.nonce == known.nonce } }
            guard let entry, let signed, signed.isGood(for: entry) else { continue }
            return LimitFinding(
                reservation.limit, .outstanding(EarlierSignature(signed, nonce: known.nonce, token: known.token)))
        }
        let redeemed = redemptions.filter { !names.isDisjoint(with: staying[$0.key, default: []].union($0.value.names)) }.values
        let uses =
            Array(repeating: LimitUse.outstanding(until: reservation.expiresAt), count: pending)
            + outstanding.map { LimitUse.outstanding(until: $0.expiresAt) }
            + redeemed.map { LimitUse.redeemed(at: $0.redeemedAt, isRefunded: $0.isRefunded) }
        return terms.usedUp(by: uses, at: reservation.madeAt).map { LimitFinding(reservation.limit, .usedUp($0), room: pending) }
    }

    mutating func count(_ redemption: CountedRedemption) {
        let key = "\(redemption.bundleID)\n\(redemption.transactionID)"
        guard redemptions[key].map({ $0.version < redemption.version }) ?? true else { return }
        redemptions[key] = redemption
        let isRedeemed = { (each: Reservation) in
            each.nonce == redemption.nonce
                && (each.staysWithRedemption || each.isOfCustomer || each.entered.contains(redemption.total))
        }
        staying[key, default: []].formUnion(reservations.filter(isRedeemed).flatMap(\.entered))
        reservations.removeAll(where: isRedeemed)
    }

    mutating func prune(at now: Instant, limit: Int) -> Int {
        let due = reservations.filter { $0.expiresAt <= now }.prefix(limit).map(\.nonce)
        let rows = reservations.filter { due.contains($0.nonce) }.reduce(0) { $0 + $1.entered.count }
        reservations.removeAll { due.contains($0.nonce) }
        return rows
    }
}

extension Reservation {
    fileprivate var isOfCustomer: Bool { if case .uses = rule { true } else { false } }
    fileprivate var counted: Set<String> { Set(names.map(scope.text)) }
    fileprivate var entered: Set<String> { Set(names.filter(\.isEntered).map(scope.text)) }
}

import EligibilityRules
import Foundation
import OfferStore

/// What counts for limits, in dictionaries.
struct MemoryLimits {
    /// An outstanding signature.
    private struct Signature {
        let nonce: UUID
        let until: Instant
        var counted: RedemptionCount.Signature
        var token: [UInt8]
    }

    let hash = LimitHash(SipHash(key: Array(repeating: 0, count: 16)))

    /// By numbers, which are in the order of their making.
    private var signatures: [Int64: Signature] = [:]
    private var next: Int64 = 0
    private var totals: [LimitKey: LimitTotal] = [:]
    private var redemptions: [String: RedemptionCount.Known] = [:]
    /// By name and redemption.
    private var redeemed: [LimitKey: [String: CountedUse]] = [:]

    func uses(under names: [LedgerKeys.Name], among entries: [LedgerEntry]) -> [LimitKey: LimitUses] {
        var found: [LimitKey: LimitUses] = [:]
        for name in names.map(\.key) where found[name] == nil {
            let outstanding = signatures.sorted { $0.key < $1.key }.filter { $0.value.counted.names.keys.contains(name) }
            let latest = Set(outstanding.suffix(LimitNeeds.latest).map(\.key))
            found[name] = LimitUses(
                outstanding: outstanding.map { number, signature in
                    guard latest.contains(number) else { return OutstandingSignature(id: number, until: signature.until) }
                    let entry = entries.first { $0.signatures.contains { $0.nonce == signature.nonce } }
                    let kept = entry.map { OutstandingSignature.Kept($0, nonce: signature.nonce, token: signature.token) }
                    return OutstandingSignature(id: number, until: signature.until, kept: signature.token.isEmpty ? nil : kept)
                }, redeemed: redeemed[name].map { Array($0.values) } ?? [])
        }
        return found
    }

    mutating func totals(_ keys: LedgerKeys) -> [LimitKey: LimitTotal] {
        let isNear = keys.totals.contains { name, most in totals[name]?.counted(withRefunded: true) ?? 0 >= most }
        if isNear { _ = lapse(at: keys.latest!, limit: .max) }
        return keys.totals.reduce(into: [:]) { found, total in
            found[total.key] = totals[total.key]
            found[total.key]?.firstUntil = signatures.values.filter { $0.counted.totals.keys.contains(total.key) }.map(\.until)
                .min()
        }
    }

    mutating func take(_ reservations: [Reservation], _ names: ArraySlice<LedgerKeys.Name>) {
        var first = names.startIndex
        for (nonce, reservations) in reservations.byNonce {
            var (uses, totals) = (LimitNames(), LimitNames())
            for reservation in reservations {
                let entered = reservation.names.indices.filter { reservation.names[$0].isEntered }.map { names[first + $0].key }
                let part = reservation.staysWithRedemption ? \LimitNames.staying : \LimitNames.own
                if case .total = reservation.rule { totals[keyPath: part] += entered } else { uses[keyPath: part] += entered }
                first += reservation.names.count
            }
            signatures[next] = Signature(
                nonce: nonce, until: reservations[0].expiresAt, counted: .init(names: uses, totals: totals),
                token: reservations.first { !$0.token.isEmpty }?.token ?? [])
            next += 1
        }
    }

    mutating func change(_ changes: [LimitKey: LimitTotal]) {
        for (name, change) in changes {
            totals[name, default: LimitTotal()].outstanding += change.outstanding
            totals[name]!.redeemed += change.redeemed
            totals[name]!.refunded += change.refunded
        }
    }

    mutating func count(_ redemption: CountedRedemption) {
        let key = "\(redemption.partition.name)\n\(redemption.transactionID)"
        let number = signatures.first { $0.value.nonce == redemption.nonce }?.key
        let known = number.map { signatures[$0]!.counted }
        guard let count = RedemptionCount(redemption, known: redemptions[key], signature: known, hash) else { return }
        if let number, let left = count.signature {
            signatures[number]!.counted = left
            if left.names.isEmpty, left.totals.isEmpty { signatures[number] = nil }
        }
        for name in count.formerNames { redeemed[name]?[key] = nil }
        let use = CountedUse(
            transactionID: Array(redemption.transactionID.utf8), at: redemption.redeemedAt, isRefunded: redemption.isRefunded)
        for name in count.names.keys { redeemed[name, default: [:]][key] = use }
        redemptions[key] = .init(version: redemption.version, names: count.names, isRefunded: redemption.isRefunded)
        change(count.totals)
    }

    /// Gives back what has lapsed. Returns how many signatures went.
    mutating func lapse(at now: Instant, limit: Int) -> Int {
        let due = signatures.filter { $0.value.until <= now }.sorted { $0.key < $1.key }.prefix(limit)
        for (number, signature) in due {
            signatures[number] = nil
            for name in signature.counted.totals.keys { change([name: LimitTotal(outstanding: -1)]) }
        }
        return due.count
    }

    /// Has none of some signatures given once more.
    mutating func forgetTokens(of nonces: [UUID]) {
        for (number, signature) in signatures where nonces.contains(signature.nonce) { signatures[number]!.token = [] }
    }
}

extension [Reservation] {
    /// Those of each signature, which lie together.
    fileprivate var byNonce: [(UUID, [Reservation])] {
        reduce(into: []) { groups, reservation in
            if groups.last?.0 == reservation.nonce {
                groups[groups.count - 1].1.append(reservation)
            } else {
                groups.append((reservation.nonce, [reservation]))
            }
        }
    }
}

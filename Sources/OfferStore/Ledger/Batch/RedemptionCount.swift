package import EligibilityRules

/// The effect of a redemption on limits. A store finds the known state, and writes the result.
///
/// The redeemed signature is no longer outstanding. The redemption counts, and stays counted, wherever the signature did: for a
/// campaign, or under another name of the customer.
///
/// The customer's place is used up: no other signature of the customer holds it any more. The App Store would still take those
/// signatures, so a customer may redeem more than the limit allows, but never more than the signatures that the place had.
package struct RedemptionCount<ID: Hashable & Sendable>: Sendable {
    /// Where an outstanding signature counts.
    package struct Signature: Equatable, Sendable {
        /// When it stops counting.
        package let until: Instant
        package let names: LimitNames
        /// The totals that a redemption of the signature counts for.
        package let totals: LimitNames
        /// Those of the totals in which the signature holds its customer's place.
        package var held: [LimitKey]

        package init(until: Instant, names: LimitNames, totals: LimitNames, held: [LimitKey]) {
            self.until = until
            self.names = names
            self.totals = totals
            self.held = held
        }
    }

    /// The redeemed signature, which is no longer outstanding; nil if it was not.
    package private(set) var redeemed: ID?
    /// The places that other signatures of the customer hold no longer.
    package private(set) var released: [ID: [LimitKey]] = [:]
    /// Where the redemption counts from now on.
    package let names: LimitNames
    /// Where the redemption counted until now.
    package let formerNames: [LimitKey]
    /// The changes of totals.
    package private(set) var totals: [LimitKey: LimitTotal] = [:]

    /// Returns nil, which changes nothing, if the known state is at least as new.
    ///
    /// - Parameters:
    ///   - redeemed: the signature that was redeemed; nil if it is unknown, or not among the outstanding ones.
    ///   - outstanding: that signature, and all others under a name of it or of the redemption.
    package init?(
        _ redemption: CountedRedemption,
        known: KnownRedemption?,
        redeemed: ID?,
        outstanding: [ID: Signature],
        _ hash: LimitHash
    ) {
        if let known, known.version >= redemption.version { return nil }
        let (own, total) = (redemption.names.map { hash($0) }, hash(redemption.total))
        let signature = redeemed.flatMap { outstanding[$0] }
        let released = signature?.names.keys.filter { !own.contains($0) } ?? []
        // Without names the redemption does not count, or no longer counts.
        names = own.isEmpty ? LimitNames() : LimitNames(own, staying: released + (known?.names.staying ?? []))
        formerNames = known?.names.keys ?? []
        let now = KnownRedemption(version: redemption.version, names: names, isRefunded: redemption.isRefunded).total
        let before = known?.total ?? LimitTotal()
        totals[total] = LimitTotal(redeemed: now.redeemed - before.redeemed, refunded: now.refunded - before.refunded)
        for total in signature?.totals.staying ?? [] { totals[total, default: LimitTotal()].redeemed += 1 }
        if let redeemed, let signature {
            self.redeemed = redeemed
            for total in signature.held { totals[total, default: LimitTotal()].outstanding -= 1 }
        }
        // A redemption uses up one place. If it is refunded, for example, it has done so before.
        if now.redeemed == 1, before.redeemed == 0 {
            let owners = signature?.names.own.first.map { [$0] } ?? own
            // A purchase that becomes known late was not made with a signature that is later than the purchase.
            let latest = redemption.redeemedAt.advanced(by: Reservation.lifetime + Reservation.grace)
            release(total, outstanding) { other in
                guard let owner = other.names.own.first, owners.contains(owner) else { return false }
                return signature != nil || other.until <= latest
            }
        }
        for total in signature?.totals.staying ?? [] {
            release(total, outstanding) { $0.names.staying.first == signature?.names.staying.first }
        }
    }

    /// Releases the customer's place in a total.
    ///
    /// - Parameter isOwn: whether a signature is one of the customer's.
    private mutating func release(_ total: LimitKey, _ outstanding: [ID: Signature], isOwn: (Signature) -> Bool) {
        for (id, signature) in outstanding where id != redeemed && signature.held.contains(total) && isOwn(signature) {
            released[id, default: []].append(total)
            totals[total, default: LimitTotal()].outstanding -= 1
        }
    }
}

/// The state of a redemption that was counted before.
package struct KnownRedemption: Sendable {
    package let version: Int64
    package let names: LimitNames
    package let isRefunded: Bool

    package init(version: Int64, names: LimitNames, isRefunded: Bool) {
        self.version = version
        self.names = names
        self.isRefunded = isRefunded
    }

    fileprivate var total: LimitTotal { names.isEmpty ? LimitTotal() : LimitTotal(redeemed: 1, refunded: isRefunded ? 1 : 0) }
}

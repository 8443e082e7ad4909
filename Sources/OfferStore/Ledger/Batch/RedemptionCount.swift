/// The effect of a redemption on limits. A store finds the known state, and writes the result.
///
/// The redeemed signature is no longer outstanding. The redemption counts, and stays counted, wherever the signature did: for a
/// campaign, or under another name of the customer.
package struct RedemptionCount {
    /// The state of a redemption that was counted before.
    package struct Known: Sendable {
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

    /// Where an outstanding signature counts.
    package struct Signature: Equatable, Sendable {
        package let names: LimitNames
        package let totals: LimitNames

        package init(names: LimitNames, totals: LimitNames) {
            self.names = names
            self.totals = totals
        }
    }

    /// Where the redeemed signature still counts as outstanding; nil if none was outstanding.
    package let signature: Signature?
    /// Where the redemption counts from now on.
    package let names: LimitNames
    /// Where the redemption counted until now.
    package let formerNames: [LimitKey]
    /// The changes of totals.
    package private(set) var totals: [LimitKey: LimitTotal] = [:]

    /// Returns nil, which changes nothing, if the known state is at least as new.
    package init?(_ redemption: CountedRedemption, known: Known?, signature: Signature?, _ hash: LimitHash) {
        if let known, known.version >= redemption.version { return nil }
        let (own, total) = (redemption.names.map { hash($0) }, hash(redemption.total))
        let released = signature?.names.keys.filter { !own.contains($0) } ?? []
        // Without names the redemption does not count, or no longer counts.
        names = own.isEmpty ? LimitNames() : LimitNames(own, staying: released + (known?.names.staying ?? []))
        formerNames = known?.names.keys ?? []
        self.signature = signature.map {
            Signature(names: LimitNames(), totals: LimitNames($0.totals.own.filter { $0 != total }))
        }
        let isOfTotal = signature?.totals.own.contains(total) ?? false
        let now = Known(version: redemption.version, names: names, isRefunded: redemption.isRefunded).total
        let before = known?.total ?? LimitTotal()
        totals[total] = LimitTotal(
            outstanding: isOfTotal ? -1 : 0, redeemed: now.redeemed - before.redeemed, refunded: now.refunded - before.refunded)
        for total in signature?.totals.staying ?? [] {
            totals[total, default: LimitTotal()].outstanding -= 1
            totals[total]!.redeemed += 1
        }
    }
}

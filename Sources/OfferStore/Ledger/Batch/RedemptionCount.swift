/// What a redemption changes of what counts for limits. A store finds what is known of it, and writes this.
///
/// The signature that it redeemed is no longer outstanding. Where that counted the redemption counts, too, and goes on to: for a
/// campaign, or under another name of the customer.
package struct RedemptionCount {
    /// What was counted of a redemption before.
    package struct Known: Sendable {
        package let version: Int64
        package let names: LimitNames
        package let isRefunded: Bool

        /// Takes the values as they are.
        package init(version: Int64, names: LimitNames, isRefunded: Bool) {
            self.version = version
            self.names = names
            self.isRefunded = isRefunded
        }
    }

    /// Where an outstanding signature counts.
    package struct Signature: Equatable, Sendable {
        package let names: LimitNames
        package let totals: LimitNames

        /// Takes the values as they are.
        package init(names: LimitNames, totals: LimitNames) {
            self.names = names
            self.totals = totals
        }
    }

    /// What is left of the signature that was redeemed; nil where none was outstanding.
    package let signature: Signature?
    /// Where the redemption counts from now on.
    package let names: LimitNames
    /// Where it counted until now.
    package let formerNames: [LimitKey]
    /// How totals change.
    package private(set) var totals: [LimitKey: LimitTotal] = [:]

    /// Nil where what is known is at least as new: nothing changes.
    package init?(_ redemption: CountedRedemption, known: Known?, signature: Signature?, _ hash: LimitHash) {
        if let known, known.version >= redemption.version { return nil }
        let (own, total) = (redemption.names.map { hash($0) }, hash(redemption.total))
        let released = signature?.names.keys.filter { !own.contains($0) } ?? []
        names = LimitNames(own, staying: released + (known?.names.staying ?? []))
        formerNames = known?.names.keys ?? []
        self.signature = signature.map {
            Signature(names: LimitNames(), totals: LimitNames($0.totals.own.filter { $0 != total }))
        }
        let isOfTotal = signature?.totals.own.contains(total) ?? false
        let refunds = (redemption.isRefunded ? 1 : 0) - (known?.isRefunded == true ? 1 : 0)
        totals[total] = LimitTotal(outstanding: isOfTotal ? -1 : 0, redeemed: known == nil ? 1 : 0, refunded: refunds)
        for total in signature?.totals.staying ?? [] {
            totals[total, default: LimitTotal()].outstanding -= 1
            totals[total]!.redeemed += 1
        }
    }
}

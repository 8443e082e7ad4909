public import EligibilityRules

/// What of one customer an offer's signature is counted against. What is nil limits nothing.
public struct LimitTerms: Equatable, Sendable {
    /// How many signatures may be outstanding.
    public let outstanding: Int?
    /// How many redemptions and outstanding signatures there may be.
    public let redeemed: Int?
    /// For how long a redemption counts for `redeemed`; nil: for ever.
    public let per: CalendarPeriod?
    /// How long after a redemption there is no other, and so no signature that could lead to one.
    public let cooldown: CalendarPeriod?
    /// Whether a redemption counts although it was refunded.
    public let countsRefunded: Bool
    /// Whether signatures count that may still be redeemed; else redemptions alone.
    public let countsOutstanding: Bool

    /// Takes the values as they are.
    public init(
        outstanding: Int? = nil,
        redeemed: Int? = nil,
        per: CalendarPeriod? = nil,
        cooldown: CalendarPeriod? = nil,
        countsRefunded: Bool = true,
        countsOutstanding: Bool = true
    ) {
        self.outstanding = outstanding
        self.redeemed = redeemed
        self.per = per
        self.cooldown = cooldown
        self.countsRefunded = countsRefunded
        self.countsOutstanding = countsOutstanding
    }

    /// The same for who is only shown the offer: a signature of theirs that is outstanding keeps nothing from them, since it comes again.
    package var asShown: LimitTerms {
        LimitTerms(redeemed: redeemed, per: per, cooldown: cooldown, countsRefunded: countsRefunded, countsOutstanding: false)
    }

    /// The limit that forbids one more signature; of several the one that frees last. Nil if none does.
    ///
    /// - Parameter uses: each once; what has lapsed is left out.
    package func usedUp(by uses: [LimitUse], at now: Instant) -> LimitEvidence? {
        var outstanding: [Instant] = []
        var redemptions: [Instant] = []
        for use in uses {
            switch use {
            case .outstanding(let until): if countsOutstanding { outstanding.append(until) }
            case .redeemed(let instant, let isRefunded):
                if countsRefunded || !isRefunded { redemptions.append(instant) }
            }
        }
        let findings = [
            redeemed.flatMap { Self.finding(.perCustomer, $0, frees(outstanding, redemptions, at: now)) },
            coolingDown(outstanding, redemptions, at: now),
            self.outstanding.flatMap { Self.finding(.outstanding, $0, outstanding) },
        ]
        return findings.compactMap(\.self).reduce(nil) { latest, finding in
            guard let latest else { return finding }
            guard let instant = latest.freesAt else { return latest }
            return finding.freesAt.map { $0 > instant } ?? true ? finding : latest
        }
    }

    /// When each use stops to count; of a redemption that counts for ever `nil`, as the last instant there is.
    private func frees(_ outstanding: [Instant], _ redemptions: [Instant], at now: Instant) -> [Instant] {
        outstanding + redemptions.map { per?.after($0) ?? Self.never }.filter { $0 > now }
    }

    private func coolingDown(_ outstanding: [Instant], _ redemptions: [Instant], at now: Instant) -> LimitEvidence? {
        guard let cooldown else { return nil }
        // A signature that is outstanding may be redeemed at any moment, and another one then would come too early.
        let warm = outstanding + redemptions.map(cooldown.after).filter { $0 > now }
        guard let last = warm.max() else { return nil }
        return LimitEvidence(.cooldown, max: 1, counted: warm.count, freesAt: last)
    }

    private static let never = Instant(milliseconds: .max)

    /// - Parameter frees: when each of those that count stops to count.
    private static func finding(_ rule: LimitEvidence.Rule, _ max: Int, _ frees: [Instant]) -> LimitEvidence? {
        guard frees.count >= max else { return nil }
        let instant = max == 0 ? never : frees.sorted()[frees.count - max]
        return LimitEvidence(rule, max: max, counted: frees.count, freesAt: instant == never ? nil : instant)
    }
}

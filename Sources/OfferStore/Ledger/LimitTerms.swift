public import EligibilityRules

/// The limits of an offer for one customer. A limit that is nil does not apply.
public struct LimitTerms: Equatable, Sendable {
    /// Maximum number of outstanding signatures.
    public let outstanding: Int?
    /// Maximum number of redemptions and outstanding signatures.
    public let redeemed: Int?
    /// How long a redemption counts for `redeemed`; nil for ever.
    public let per: CalendarPeriod?
    /// How long after a redemption no other redemption may follow. No signature is made in this time, because it could lead to
    /// one.
    public let cooldown: CalendarPeriod?
    /// Whether refunded redemptions count.
    public let countsRefunded: Bool
    /// Whether outstanding signatures count; otherwise only redemptions do.
    public let countsOutstanding: Bool

    /// Stores the given values without checking them.
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

    /// Whether any limit applies, so that uses must be counted.
    var limitsUses: Bool { outstanding != nil || redeemed != nil || cooldown != nil }

    /// With up to this many earlier uses, one more signature exceeds no limit in any case.
    var spare: Int { cooldown == nil ? min(outstanding ?? .max, redeemed ?? .max) - 1 : 0 }

    /// The terms for displaying the offer only: the customer's outstanding signatures do not count, as they are returned again.
    package var asShown: LimitTerms {
        LimitTerms(redeemed: redeemed, per: per, cooldown: cooldown, countsRefunded: countsRefunded, countsOutstanding: false)
    }

    /// The limit that forbids one more signature, or nil if none does; of several, the one that forbids it for the longest time.
    ///
    /// - Parameter uses: the uses, each once, without lapsed ones.
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

    /// When each use stops counting; `never` for a redemption that counts for ever.
    private func frees(_ outstanding: [Instant], _ redemptions: [Instant], at now: Instant) -> [Instant] {
        outstanding + redemptions.map { per?.after($0) ?? Self.never }.filter { $0 > now }
    }

    private func coolingDown(_ outstanding: [Instant], _ redemptions: [Instant], at now: Instant) -> LimitEvidence? {
        guard let cooldown else { return nil }
        // An outstanding signature may be redeemed at any moment, and a redemption of another signature would then come too
        // early.
        let warm = outstanding + redemptions.map(cooldown.after).filter { $0 > now }
        guard let last = warm.max() else { return nil }
        return LimitEvidence(.cooldown, max: 1, counted: warm.count, freesAt: last)
    }

    private static let never = Instant(milliseconds: .max)

    /// - Parameter frees: when each of the counted uses stops counting.
    private static func finding(_ rule: LimitEvidence.Rule, _ max: Int, _ frees: [Instant]) -> LimitEvidence? {
        guard frees.count >= max else { return nil }
        let instant = max == 0 ? never : frees.sorted()[frees.count - max]
        return LimitEvidence(rule, max: max, counted: frees.count, freesAt: instant == never ? nil : instant)
    }
}

/// A use that counts for a limit.
package enum LimitUse: Hashable, Sendable {
    /// A signature, and when it stops counting.
    case outstanding(until: Instant)
    /// A purchase with the offer.
    case redeemed(at: Instant, isRefunded: Bool)
}

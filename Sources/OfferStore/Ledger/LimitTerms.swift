public import EligibilityRules

/// The limits of an offer for one customer. A limit that is nil does not apply.
public struct LimitTerms: Equatable, Sendable {
    /// Maximum number of signatures that are outstanding at the same time.
    public let outstanding: Int?
    /// Maximum number of redemptions.
    ///
    /// The customer's outstanding signatures count as one more, because they hold a place together. The next signature belongs to
    /// that place, so it needs the same room whether there are earlier ones or not.
    public let redeemed: Int?
    /// How long a redemption counts for `redeemed`; nil for ever.
    public let per: CalendarPeriod?
    /// How long after a redemption no signature may follow.
    public let cooldown: CalendarPeriod?
    /// Whether refunded redemptions count.
    public let countsRefunded: Bool

    /// Stores the given values without checking them.
    public init(
        outstanding: Int? = nil,
        redeemed: Int? = nil,
        per: CalendarPeriod? = nil,
        cooldown: CalendarPeriod? = nil,
        countsRefunded: Bool = true
    ) {
        self.outstanding = outstanding
        self.redeemed = redeemed
        self.per = per
        self.cooldown = cooldown
        self.countsRefunded = countsRefunded
    }

    /// Whether any limit applies, so that uses must be counted.
    var limitsUses: Bool { outstanding != nil || redeemed != nil || cooldown != nil }

    /// The terms for displaying the offer only.
    ///
    /// A customer who has asked for many signatures still sees the offer, because they lapse within a day.
    package var asShown: LimitTerms {
        LimitTerms(redeemed: redeemed, per: per, cooldown: cooldown, countsRefunded: countsRefunded)
    }

    /// The limit that forbids one more signature, or nil if none does; of several that count redemptions, the one that forbids it
    /// for the longest time.
    ///
    /// - Parameter uses: the uses, each once, without lapsed ones.
    package func usedUp(by uses: [LimitUse], at now: Instant) -> LimitEvidence? {
        var live: [Instant] = []
        var redemptions: [Instant] = []
        for use in uses {
            switch use {
            case .outstanding(let until): live.append(until)
            case .redeemed(let instant, let isRefunded):
                if countsRefunded || !isRefunded { redemptions.append(instant) }
            }
        }
        let findings = [
            redeemed.flatMap { Self.finding(.perCustomer, $0, frees(redemptions, at: now)) },
            coolingDown(redemptions, at: now),
        ]
        let usedUp = findings.compactMap(\.self).reduce(nil as LimitEvidence?) { latest, finding in
            guard let latest else { return finding }
            guard let instant = latest.freesAt else { return latest }
            return finding.freesAt.map { $0 > instant } ?? true ? finding : latest
        }
        // Only this limit leaves the customer's place open, so the others come first.
        return usedUp ?? outstanding.flatMap { Self.finding(.outstanding, $0, live) }
    }

    /// When each redemption stops counting; `never` if it counts for ever.
    private func frees(_ redemptions: [Instant], at now: Instant) -> [Instant] {
        redemptions.map { per?.after($0) ?? Self.never }.filter { $0 > now }
    }

    private func coolingDown(_ redemptions: [Instant], at now: Instant) -> LimitEvidence? {
        guard let cooldown else { return nil }
        let warm = redemptions.map(cooldown.after).filter { $0 > now }
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

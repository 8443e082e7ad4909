/// Decides what counts as success after an exposure, by the same rule for every variant, including one without an offer.
///
/// Only the App Store's own dates decide, not when the service learned something. What arrives late counts as if it had been
/// known at once. Histories that say the same give the same outcome, in whatever order they were merged.
public struct ConversionRule: Sendable {
    /// What is measured, and within what time.
    public let goal: CampaignGoal
    private let environment: PurchaseEnvironment
    private let countsFamilyShared: Bool
    private let catalogue: Catalogue

    /// Creates the rule of a goal.
    ///
    /// - Parameter policy: the environment whose purchases count, and whether a period that a family member shares counts as the
    ///   customer's own.
    public init(_ goal: CampaignGoal, _ policy: EligibilityPolicy, catalogue: Catalogue) {
        self.goal = goal
        environment = policy.environment
        countsFamilyShared = policy.familySharedCountsAsOwn
        self.catalogue = catalogue
    }

    /// Returns the outcome of a unit.
    ///
    /// - Parameters:
    ///   - offers: the offers of the unit's variant.
    ///   - now: the instant of the count. What begins or is revoked later is ignored.
    public func outcome(
        of history: PurchaseHistory,
        exposedAt: Instant,
        offers: [CampaignVariant.Offer],
        now: Instant
    ) -> UnitOutcome {
        let end = goal.window.after(exposedAt)
        let laterEnds = Self.laterPeriods.map { $0.after(exposedAt) }
        guard !history.isEmpty else {
            let later = laterEnds.map { UnitOutcome.Later(isOver: now >= $0, paid: .nothing) }
            return UnitOutcome(windowEndsAt: end, isMatured: now >= end, later: later)
        }
        let chains = Customer.subscriptions(history.chains, environment) { period in
            period.isOwn || countsFamilyShared && period.isFamilyShared
        }
        let seen = Seen(chains, after: exposedAt, windowEnd: end, now: now)
        let (ours, apples) = redemptions(in: seen, of: offers)
        let (convertedAt, isRefunded) = conversion(seen, ours)
        let bought = history.chains.filter { $0.isCounted(in: environment) }
            .flatMap { $0.transactions.filter(\.isSubscriptionPeriod) }
        let later = laterEnds.map { UnitOutcome.Later(isOver: now >= $0, paid: seen.paid(for: bought, until: $0)) }
        return UnitOutcome(
            windowEndsAt: end, isMatured: now >= end, convertedAt: convertedAt, isRefunded: isRefunded,
            redeemedAt: ours.map(\.purchasedAt).min(), hasRetentionOffer: !apples.isEmpty,
            paid: seen.paid(for: bought, until: end), later: later)
    }

    private static let laterPeriods = UnitOutcome.laterDays.map { CalendarPeriod("P\($0)D")! }

    private func conversion(_ seen: Seen, _ ours: [PurchaseTransaction]) -> (at: Instant?, isRefunded: Bool) {
        switch goal.metric {
        case .subscribed: seen.kept(of: seen.begun)
        case .redeemed: seen.kept(of: ours)
        case .convertedToPaid, .revenue: seen.kept(of: seen.begun.filter(isPaid))
        case .retained: seen.isMatured ? seen.running : (nil, false)
        }
    }

    /// Whether the customer was charged for the period; a later refund does not matter.
    ///
    /// A period whose price is not stated counts, unless it is a free trial. Older transactions with an introductory offer do not
    /// say whether that was a trial; then the catalogue does.
    private func isPaid(_ period: PurchaseTransaction) -> Bool {
        guard period.isOwn, period.sale?.isFree != true else { return false }
        guard period.offer?.kind == .introductory, period.sale?.discount == nil, period.sale?.charged == nil else { return true }
        return !(catalogue.product(period.productID)?.introductoryOffers.contains { $0.kind == .freeTrial } ?? false)
    }

    /// Returns the redemptions within the window: those of the variant's offers, and those of Apple's own retention offers.
    private func redemptions(
        in seen: Seen,
        of offers: [CampaignVariant.Offer]
    ) -> (ours: [PurchaseTransaction], apples: [PurchaseTransaction]) {
        var (ours, apples): ([PurchaseTransaction], [PurchaseTransaction]) = ([], [])
        guard seen.begun.contains(where: { $0.offer != nil }) else { return (ours, apples) }
        for chain in seen.chains {
            // Only the first period of a redemption counts. A later instalment of an earlier redemption is not a redemption.
            for (first, offer, _) in chain.redemptions(in: catalogue) where first.isSubscriptionPeriod && seen.isWithin(first) {
                if offer.kind == .retention { apples.append(first) }
                guard offer.kind == .promotional, let id = offer.id else { continue }
                if offers.contains(CampaignVariant.Offer(productID: first.productID, offerID: id)) { ours.append(first) }
            }
        }
        return (ours, apples)
    }
}

extension ConversionRule {
    /// A unit's own subscriptions, and which of their periods belong to its window.
    fileprivate struct Seen {
        let chains: [PurchaseChain]
        let exposedAt: Instant
        let end: Instant
        let now: Instant
        /// The periods that have begun within the window.
        private(set) var begun: [PurchaseTransaction] = []

        init(_ chains: [PurchaseChain], after exposedAt: Instant, windowEnd end: Instant, now: Instant) {
            self.chains = chains
            self.exposedAt = exposedAt
            self.end = end
            self.now = now
            for chain in chains { begun += chain.transactions.filter { $0.isSubscriptionPeriod && isWithin($0) } }
        }

        var isMatured: Bool { now >= end }

        func isWithin(_ period: PurchaseTransaction) -> Bool { isWithin(period, until: end) }

        private func isWithin(_ period: PurchaseTransaction, until end: Instant) -> Bool {
            period.purchasedAt > exposedAt && period.purchasedAt < end && period.purchasedAt <= now
        }

        private func isRefunded(_ period: PurchaseTransaction) -> Bool { period.revokedAt.map { $0 <= now } ?? false }

        /// Returns when the first of the periods began that was not revoked, and whether there are periods but all were revoked.
        func kept(of periods: [PurchaseTransaction]) -> (at: Instant?, isRefunded: Bool) {
            let first = periods.lazy.filter { !isRefunded($0) }.map(\.purchasedAt).min()
            return (first, first == nil && !periods.isEmpty)
        }

        /// The end of the window if a subscription is active then, by the rules of eligibility, and has not been revoked since.
        ///
        /// If there is no such subscription, `isRefunded` says whether one would be active that was revoked after the exposure.
        var running: (at: Instant?, isRefunded: Bool) {
            var isTakenBack = false
            for period in SubscriptionPeriod.latest(of: chains, at: end) {
                guard let revokedAt = period.transaction.revokedAt, revokedAt <= now else {
                    if period.state == .active { return (end, false) }
                    continue
                }
                let wouldRun = period.transaction.expiry.map { $0.value > end } ?? false
                if wouldRun, revokedAt > exposedAt { isTakenBack = true }
            }
            return (nil, isTakenBack)
        }

        /// Returns what was paid from the exposure until an instant, less refunds.
        ///
        /// - Parameter periods: the unit's transactions, including those that added seats to a period.
        func paid(for periods: [PurchaseTransaction], until end: Instant) -> UnitOutcome.Paid {
            var sums: [String: Int64] = [:]
            var hasUnknownPrice = false
            for period in periods where isWithin(period, until: end) {
                switch period.paid(by: now) {
                case .nothing: break
                case .amount(let money): sums[money.currency, default: 0] += money.amount
                case .unknown: hasUnknownPrice = true
                }
            }
            let payments = sums.map { UnitOutcome.Payment(currency: $0.key, amount: $0.value) }
            return UnitOutcome.Paid(
                payments.sorted { TextOrder.precedes($0.currency, $1.currency) }, hasUnknownPrice: hasUnknownPrice)
        }
    }
}

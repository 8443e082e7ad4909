/// When the App Store is to be asked about a subscription again: it sends nothing for some changes.
///
/// At once if the history is incomplete, a day before the period ends, right after its end, and then ever more rarely for as
/// long as the App Store tries to collect; after that about once a month for two years, since win-back offers come unannounced.
public enum PollSchedule {
    private static let minute: Int64 = 60 * 1000
    private static let hour = 60 * minute
    private static let day = 24 * hour
    private static let sweepLimit = 730 * day

    /// The next instant after `now`; nil when nothing can change any more without a purchase.
    ///
    /// - Parameters:
    ///   - lastAsked: when the App Store was last asked; nil if never.
    ///   - sweeps: false ends it 60 days after the last period: of win-back offers a receipt tells nothing.
    public static func next(
        for chain: PurchaseChain,
        after now: Instant,
        lastAsked: Instant? = nil,
        sweeps: Bool = true
    ) -> Instant? {
        guard chain.isSubscription, chain.environment != .local else { return nil }
        // The rest of a history that begins in the middle is fetched once, at the first opportunity.
        if lastAsked == nil, !chain.showsFirstPeriod { return now }
        let status = SubscriptionStatus(of: [chain], at: now)
        guard status.state != .revoked, let end = status.transaction?.expiry?.value else { return nil }
        let sinceEnd = now.milliseconds(since: end)
        if sinceEnd < -day { return end.advanced(by: -day) }
        if sinceEnd < 0 {
            let wasAskedBeforeEnd = lastAsked.map { $0 >= end.advanced(by: -day) } ?? false
            return wasAskedBeforeEnd ? end.advanced(by: minute) : now
        }
        guard sinceEnd < SubscriptionStatus.billingRetryLimit, !isOver(chain, since: end) else {
            return sweeps && sinceEnd < sweepLimit ? (lastAsked ?? now).advanced(by: sweepInterval(of: chain)) : nil
        }
        guard let lastAsked, lastAsked >= end else { return max(now, end.advanced(by: minute)) }
        return lastAsked.advanced(by: interval(sinceEnd))
    }

    /// 15 to 45 days, by the subscription: a million that came with one import are not due on one day.
    private static func sweepInterval(of chain: PurchaseChain) -> Int64 {
        let hash = Murmur3.hash(chain.originalID)
        return 15 * day + 30 * day * Int64(hash >> 16) / 65_536
    }

    /// Cancelled, and said so after the end: only a new purchase, which is announced, can change it.
    private static func isOver(_ chain: PurchaseChain, since end: Instant) -> Bool {
        guard let renewal = chain.renewal, renewal.stamp.asOf >= end else { return false }
        return renewal.value.willRenew == false && renewal.value.isInBillingRetry != true
    }

    private static func interval(_ sinceEnd: Int64) -> Int64 {
        if sinceEnd < hour { return 10 * minute }
        if sinceEnd < day { return hour }
        return sinceEnd < 16 * day ? 6 * hour : day
    }
}

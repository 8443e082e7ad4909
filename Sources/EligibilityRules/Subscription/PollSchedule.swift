/// When to ask the App Store about a subscription again. The App Store does not announce every change.
///
/// At once if the history is incomplete, a day before the period ends, and right after its end.
/// Then ever more rarely while the App Store tries to collect the price.
/// After that about once a month for two years, since win-back offers are not announced.
public enum PollSchedule {
    private static let minute: Int64 = 60 * 1000
    private static let hour = 60 * minute
    private static let day = 24 * hour
    private static let sweepLimit = 730 * day

    /// Returns when to ask next, in the past if overdue; nil when nothing can change any more without a purchase.
    ///
    /// - Parameters:
    ///   - lastAsked: when the App Store was last asked; nil if never.
    ///   - sweeps: false ends it 60 days after the last period, since a receipt does not show win-back offers.
    public static func next(
        for chain: PurchaseChain,
        after now: Instant,
        lastAsked: Instant? = nil,
        sweeps: Bool = true
    ) -> Instant? {
        guard chain.isSubscription, chain.environment != .local else { return nil }
        // A history that begins in the middle is completed once, at the first opportunity.
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

    /// 15 to 45 days, by the subscription, so that a million from one import are not due on one day.
    private static func sweepInterval(of chain: PurchaseChain) -> Int64 {
        let hash = Murmur3.hash(chain.originalID)
        return 15 * day + 30 * day * Int64(hash >> 16) / 65_536
    }

    /// Whether the subscription was cancelled, as stated after its end. Only a new purchase, which is announced, can change that.
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

/// When to ask the App Store about a subscription again, because it does not announce every change.
///
/// The service asks at once if the history does not show the first period. It asks a day before the period ends, and right after
/// its end. While the App Store tries to collect the price, the service asks less and less often. After that it asks about
/// once a month for two years, because the App Store does not announce win-back offers.
public enum PollSchedule {
    private static let minute: Int64 = 60 * 1000
    private static let hour = 60 * minute
    private static let day = 24 * hour
    private static let sweepLimit = 730 * day

    /// Returns when to ask next; nil if nothing can change any more without a new purchase.
    ///
    /// The instant lies in the past if it was missed.
    ///
    /// - Parameters:
    ///   - lastAsked: when the App Store was last asked; nil if never.
    ///   - sweeps: whether to go on to ask once a month about win-back offers. It is false for receipts, which do not show them:
    ///     there is no further question 60 days after the end of the last period, or once the subscription is known to be over.
    public static func next(
        for chain: PurchaseChain,
        after now: Instant,
        lastAsked: Instant? = nil,
        sweeps: Bool = true
    ) -> Instant? {
        guard chain.isSubscription, chain.environment != .local else { return nil }
        // If the first period is not known, the whole history is asked for once, and at once.
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

    /// Returns the time between two monthly questions: 15 to 45 days.
    ///
    /// It depends on the subscription's id, so that a million subscriptions of one import are not due on the same day.
    private static func sweepInterval(of chain: PurchaseChain) -> Int64 {
        let hash = Murmur3.hash(chain.originalID)
        return 15 * day + 30 * day * Int64(hash >> 16) / 65_536
    }

    /// Whether the App Store has stated, after the end, that the subscription is over.
    ///
    /// Only a new purchase can change that, and the App Store announces new purchases.
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

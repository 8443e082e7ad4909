/// A period of a subscription, with the state that it has at an instant.
struct SubscriptionPeriod {
    let chain: PurchaseChain
    let transaction: PurchaseTransaction
    /// The App Store's renewal information about the end of the period; nil if there is none.
    let renewal: Stamped<RenewalState>?
    let state: SubscriptionState

    private init(_ chain: PurchaseChain, _ transaction: PurchaseTransaction, at now: Instant) {
        self.chain = chain
        self.transaction = transaction
        renewal = chain.renewal.flatMap { transaction.isMeant(by: $0) ? $0 : nil }
        state = transaction.state(renewal: renewal?.value, at: now)
    }

    /// Returns the period that decides the state of all chains together; nil if no period has begun.
    ///
    /// `isUnconfirmed` says whether a period may have been renewed without a report. The renewal would then decide.
    static func deciding(of chains: [PurchaseChain], at now: Instant) -> (period: SubscriptionPeriod?, isUnconfirmed: Bool) {
        var deciding: SubscriptionPeriod?
        var isUnconfirmed = false
        for period in latest(of: chains, at: now) {
            if period.isRenewalUnconfirmed(at: now) { isUnconfirmed = true }
            if deciding.map({ period.outweighs($0) }) ?? true { deciding = period }
        }
        return (deciding, isUnconfirmed && deciding?.state.isCurrent != true)
    }

    /// Returns of each chain the period that began last.
    ///
    /// A chain has two such periods if some of its periods were bought by the customer and others are shared or assigned. Periods
    /// that a later period of the same Apple account has replaced are left out. Every decision about a state starts from these.
    static func latest(of chains: [PurchaseChain], at now: Instant) -> [SubscriptionPeriod] {
        var periods: [SubscriptionPeriod] = []
        periods.reserveCapacity(chains.count)
        for chain in chains {
            var own: PurchaseTransaction?
            var other: PurchaseTransaction?
            for transaction in chain.transactions where transaction.expiry != nil && transaction.hasBegun(by: now) {
                if transaction.isOwn {
                    if own.map(transaction.isNewer) ?? true { own = transaction }
                } else if other.map(transaction.isNewer) ?? true {
                    other = transaction
                }
            }
            if let own { periods.append(SubscriptionPeriod(chain, own, at: now)) }
            if let other { periods.append(SubscriptionPeriod(chain, other, at: now)) }
        }
        return periods.count < 2 ? periods : withoutReplaced(periods)
    }

    /// Returns the periods without those that a later period of the same Apple account in the same group has replaced.
    ///
    /// An Apple account can have only one subscription in a group. Only periods that the customer bought are replaced.
    private static func withoutReplaced(_ periods: [SubscriptionPeriod]) -> [SubscriptionPeriod] {
        var newest: [Line: PurchaseTransaction] = [:]
        for period in periods {
            guard let line = Line(period) else { continue }
            if newest[line].map(period.transaction.isNewer) ?? true { newest[line] = period.transaction }
        }
        guard !newest.isEmpty else { return periods }
        return periods.filter { period in Line(period).map { newest[$0]?.id == period.transaction.id } ?? true }
    }

    /// An Apple account and a subscription group, which together can have only one subscription.
    private struct Line: Hashable {
        let account: ExactText
        let group: ExactText

        init?(_ period: SubscriptionPeriod) {
            guard period.transaction.isOwn, let account = period.chain.appTransactionID, let group = period.chain.groupID
            else { return nil }
            self.account = ExactText(account)
            self.group = ExactText(group)
        }
    }

    /// Whether this period decides, and not that of another subscription.
    func outweighs(_ other: SubscriptionPeriod) -> Bool {
        if state.isCurrent != other.state.isCurrent { return state.isCurrent }
        if (state == .active) != (other.state == .active) { return state == .active }
        return transaction.isNewer(than: other.transaction)
    }

    /// Whether the period may have been renewed without a report to the service.
    func isRenewalUnconfirmed(at now: Instant) -> Bool {
        guard state == .expired, let expiry = transaction.expiry,
            now < expiry.value.advanced(by: SubscriptionStatus.billingRetryLimit)
        else { return false }
        // A receipt that was made after the end would show the renewal.
        if expiry.stamp.source == .receipt, expiry.stamp.asOf >= expiry.value { return false }
        guard let renewal else { return true }
        return renewal.value.willRenew != false && renewal.stamp.asOf < expiry.value
    }
}

extension PurchaseTransaction {
    /// Whether it has begun, even if the App Store's clock is a little ahead of ours.
    func hasBegun(by now: Instant) -> Bool { purchasedAt <= now.advanced(by: SubscriptionStatus.clockTolerance) }

    /// Whether the period has neither ended nor been revoked.
    private func isRunning(at now: Instant) -> Bool {
        guard let expiry, expiry.value > now else { return false }
        return revokedAt.map { $0 > now } ?? true
    }

    fileprivate func state(renewal: RenewalState?, at now: Instant) -> SubscriptionState {
        if isRunning(at: now) { return .active }
        if let revokedAt, revokedAt <= now { return .revoked }
        if let grace = renewal?.gracePeriodExpiresAt, grace > now { return .gracePeriod }
        let isRetried = renewal?.isInBillingRetry == true
        return isRetried && now < expiry!.value.advanced(by: SubscriptionStatus.billingRetryLimit) ? .billingRetry : .expired
    }

    /// Whether renewal information is about the end of this period.
    ///
    /// It is if it was signed after the period began. When a subscription renews, however, the App Store signs the information
    /// moments before the new period begins. Such information is about the new period if its `renewalDate` is closer to the end
    /// of that period than to its beginning.
    func isMeant(by renewal: Stamped<RenewalState>) -> Bool {
        if renewal.stamp.asOf >= purchasedAt { return true }
        guard let date = renewal.value.renewalDate, let end = expiry?.value else { return false }
        return date.milliseconds(since: purchasedAt) > end.milliseconds(since: date)
    }
}

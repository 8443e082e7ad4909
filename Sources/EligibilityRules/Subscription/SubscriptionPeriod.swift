/// The period of a subscription that decides what it is at an instant.
struct SubscriptionPeriod {
    let chain: PurchaseChain
    let transaction: PurchaseTransaction
    /// What is said about the renewal at its end; nil when nobody says anything.
    let renewal: Stamped<RenewalState>?
    let state: SubscriptionState

    private init(_ chain: PurchaseChain, _ transaction: PurchaseTransaction, at now: Instant) {
        self.chain = chain
        self.transaction = transaction
        renewal = chain.renewal.flatMap { transaction.isMeant(by: $0) ? $0 : nil }
        state = transaction.state(renewal: renewal?.value, at: now)
    }

    /// The period that decides, and whether one that was renewed without our having been told might decide in its place.
    static func deciding(of chains: [PurchaseChain], at now: Instant) -> (period: SubscriptionPeriod?, isUnconfirmed: Bool) {
        var deciding: SubscriptionPeriod?
        var isUnconfirmed = false
        for period in latest(of: chains, at: now) {
            if period.isRenewalUnconfirmed(at: now) { isUnconfirmed = true }
            if deciding.map({ period.outweighs($0) }) ?? true { deciding = period }
        }
        return (deciding, isUnconfirmed && deciding?.state.isCurrent != true)
    }

    /// Of each subscription the period that began last: the customer's own, and what others share, each for itself.
    private static func latest(of chains: [PurchaseChain], at now: Instant) -> [SubscriptionPeriod] {
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

    /// Without own periods after which the same Apple account has begun another one in the same group: it can have one only.
    private static func withoutReplaced(_ periods: [SubscriptionPeriod]) -> [SubscriptionPeriod] {
        var newest: [Line: PurchaseTransaction] = [:]
        for period in periods {
            guard let line = Line(period) else { continue }
            if newest[line].map(period.transaction.isNewer) ?? true { newest[line] = period.transaction }
        }
        guard !newest.isEmpty else { return periods }
        return periods.filter { period in Line(period).map { newest[$0]?.id == period.transaction.id } ?? true }
    }

    /// What one Apple account has in one subscription group.
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

    /// Whether it decides over another subscription's.
    func outweighs(_ other: SubscriptionPeriod) -> Bool {
        if state.isCurrent != other.state.isCurrent { return state.isCurrent }
        if (state == .active) != (other.state == .active) { return state == .active }
        return transaction.isNewer(than: other.transaction)
    }

    /// Whether it may have been renewed without our having been told.
    func isRenewalUnconfirmed(at now: Instant) -> Bool {
        guard state == .expired, let expiry = transaction.expiry,
            now < expiry.value.advanced(by: SubscriptionStatus.billingRetryLimit)
        else { return false }
        // A receipt of later shows the newest period there is.
        if expiry.stamp.source == .receipt, expiry.stamp.asOf >= expiry.value { return false }
        guard let renewal else { return true }
        return renewal.value.willRenew != false && renewal.stamp.asOf < expiry.value
    }
}

extension PurchaseTransaction {
    /// Whether it was not made later, by a clock that may be a little ahead.
    func hasBegun(by now: Instant) -> Bool { purchasedAt <= now.advanced(by: SubscriptionStatus.clockTolerance) }

    /// Whether its period has neither ended nor been taken back.
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

    /// Whether a statement about the renewal is about the end of this period.
    ///
    /// That of a renewal is signed moments before the new period begins, and names the new period's end.
    fileprivate func isMeant(by renewal: Stamped<RenewalState>) -> Bool {
        if renewal.stamp.asOf >= purchasedAt { return true }
        guard let date = renewal.value.renewalDate, let end = expiry?.value else { return false }
        return date.milliseconds(since: purchasedAt) > end.milliseconds(since: date)
    }
}

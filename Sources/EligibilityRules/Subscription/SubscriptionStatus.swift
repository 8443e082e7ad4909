/// A customer's subscription in one group at an instant, and what it follows from.
public struct SubscriptionStatus: Hashable, Sendable {
    /// How long the App Store tries to collect the price: 60 days, in ms.
    public static let billingRetryLimit: Int64 = 60 * 24 * 3600 * 1000

    /// The App Store's clock may be ahead of ours by so much, in ms: a purchase of this moment counts.
    public static let clockTolerance: Int64 = 60 * 1000

    /// What it is.
    public let state: SubscriptionState
    /// The period that decides; nil if there has been none.
    public let transaction: PurchaseTransaction?
    /// The subscription it belongs to.
    public let originalTransactionID: String?
    /// Where it was bought; nil when no source says.
    public let environment: PurchaseEnvironment?
    /// Whether it will renew; nil when no source says.
    public let willRenew: Bool?
    /// True when the period has run out although the last thing heard was that it would renew.
    public let isRenewalUnconfirmed: Bool

    /// Derives the state of a group's chains at an instant.
    ///
    /// Periods that begin later are not looked at. Of several the one that began last decides, running ones first.
    public init(of chains: [PurchaseChain], at now: Instant) {
        typealias Period = (chain: PurchaseChain, transaction: PurchaseTransaction)
        var newest: Period?
        // One that was upgraded runs on only as long as nothing newer is shown, even if that has ended since.
        var newestRunning: Period?
        for chain in chains {
            // From the newest on: what is found first usually stays.
            for transaction in chain.transactions.reversed() where transaction.hasBegun(by: now) {
                if newest.map({ transaction.isNewer(than: $0.transaction) }) ?? true { newest = (chain, transaction) }
                guard !transaction.isUpgraded, transaction.isRunning(at: now) else { continue }
                if newestRunning.map({ transaction.isNewer(than: $0.transaction) }) ?? true {
                    newestRunning = (chain, transaction)
                }
            }
        }
        guard let newest else {
            self.init(.never, nil, nil, isRenewalUnconfirmed: false)
            return
        }
        let latest = newest.transaction.isRunning(at: now) ? newest : newestRunning ?? newest
        let renewal = latest.chain.renewal.flatMap { $0.stamp.asOf >= latest.transaction.purchasedAt ? $0 : nil }
        let state = latest.transaction.state(renewal: renewal?.value, at: now)
        let expiry = latest.transaction.expiry!.value
        self.init(
            state, latest.transaction, latest.chain, willRenew: renewal?.value.willRenew,
            isRenewalUnconfirmed: state == .expired && renewal?.value.willRenew == true && renewal!.stamp.asOf < expiry
        )
    }

    private init(
        _ state: SubscriptionState,
        _ transaction: PurchaseTransaction?,
        _ chain: PurchaseChain?,
        willRenew: Bool? = nil,
        isRenewalUnconfirmed: Bool
    ) {
        self.state = state
        self.transaction = transaction
        originalTransactionID = chain?.originalID
        environment = chain?.environment
        self.willRenew = willRenew
        self.isRenewalUnconfirmed = isRenewalUnconfirmed
    }
}

extension PurchaseTransaction {
    /// Whether it is a period of a subscription that does not begin later.
    fileprivate func hasBegun(by now: Instant) -> Bool {
        expiry != nil && purchasedAt <= now.advanced(by: SubscriptionStatus.clockTolerance)
    }

    /// Whether its period has neither ended nor been taken back.
    fileprivate func isRunning(at now: Instant) -> Bool {
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
}

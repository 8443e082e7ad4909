/// A change between two states of a purchase chain that the company's systems may want to know.
///
/// Each follows from facts that only ever become known once: so it is found once, however often sources repeat themselves. If
/// a period is known before the one that precedes it, it may be said to recover in place of renew, and to redeem the offer.
public struct PurchaseNews: Equatable, Sendable {
    /// What has changed.
    public enum Kind: String, Sendable, CaseIterable {
        /// A promotional or win-back offer was redeemed.
        case offerRedeemed = "offer.redeemed"
        /// The purchase that redeemed an offer was refunded.
        case offerRefunded = "offer.refunded"
        /// The first known period of a subscription has begun, or one after a lapse.
        case started = "subscription.started"
        /// Another period has begun without a lapse.
        case renewed = "subscription.renewed"
        /// The subscription has ended without a renewal, as the App Store has stated after the end.
        case lapsed = "subscription.lapsed"
        /// The App Store could collect a payment that was overdue.
        case recovered = "subscription.recovered"
        /// A period was refunded or revoked.
        case refunded = "subscription.refunded"
        /// The subscription has moved to another customer.
        case transferred = "subscription.transferred"
    }

    /// Older facts are history that a source shows late, in ms: 30 days.
    private static let maxAge: Int64 = 30 * 24 * 3600 * 1000

    /// What has changed.
    public let kind: Kind
    /// When it took place, by the App Store's time.
    public let at: Instant
    /// The transaction concerned.
    public let transaction: PurchaseTransaction

    /// The news of a merge, in the order in which they took place.
    ///
    /// - Parameters:
    ///   - before: the chain before; nil if nothing was known.
    ///   - now: when the source was received. What took place more than 30 days earlier is no news.
    public static func between(_ before: PurchaseChain?, _ after: PurchaseChain, at now: Instant) -> [PurchaseNews] {
        let known = KnownPurchases(before)
        var news: [PurchaseNews] = []
        var (period, isRunKnown): (PurchaseTransaction?, Bool) = (nil, false)
        for (index, transaction) in after.transactions.enumerated() {
            let earlier = known.state(of: transaction)
            news += refunds(earlier, transaction)
            guard transaction.isSubscriptionPeriod, !transaction.sharesPeriod else { continue }
            if earlier?.isSubscriptionPeriod != true {
                let kind = start(of: transaction, after: period, before?.renewal)
                news.append(PurchaseNews(kind: kind, at: transaction.purchasedAt, transaction: transaction))
            }
            let continues = transaction.continuesOffer(of: period)
            isRunKnown = (continues && isRunKnown) || earlier?.signedOffer != nil
            period = transaction
            guard transaction.signedOffer != nil, !isRunKnown else { continue }
            // The period before may become known later.
            isRunKnown = true
            guard !continues, !isContinued(at: index, in: after, known) else { continue }
            news.append(PurchaseNews(kind: .offerRedeemed, at: transaction.purchasedAt, transaction: transaction))
        }
        if let lapse = after.lapse, before?.lapse?.transaction.isSamePurchase(as: lapse.transaction) != true {
            let wasRetried = before?.renewal?.value.isInBillingRetry == true
            let at = wasRetried ? after.renewal!.stamp.asOf : lapse.at
            news.append(PurchaseNews(kind: .lapsed, at: at, transaction: lapse.transaction))
        }
        return news.filter { now.milliseconds(since: $0.at) <= maxAge }.sorted { $0.at < $1.at }
    }

    private static func refunds(_ before: PurchaseTransaction?, _ after: PurchaseTransaction) -> [PurchaseNews] {
        guard let at = after.revokedAt else { return [] }
        var kinds: [Kind] = []
        if after.isSubscriptionPeriod, before?.revokedAt == nil { kinds.append(.refunded) }
        if after.signedOffer != nil, before?.revokedAt == nil || before?.signedOffer == nil { kinds.append(.offerRefunded) }
        return kinds.map { PurchaseNews(kind: $0, at: at, transaction: after) }
    }

    private static func start(
        of transaction: PurchaseTransaction,
        after previous: PurchaseTransaction?,
        _ renewal: Stamped<RenewalState>?
    ) -> Kind {
        guard let previous, let end = previous.expiry?.value else { return transaction.isRenewal ? .renewed : .started }
        let wasOverdue =
            renewal.map { renewal in
                previous.isMeant(by: renewal) && renewal.stamp.asOf <= transaction.purchasedAt.advanced(by: 3_600_000)
                    && (renewal.value.isInBillingRetry == true || renewal.value.gracePeriodExpiresAt != nil)
            } ?? false
        let gap = transaction.purchasedAt.milliseconds(since: min(end, previous.revokedAt ?? end))
        // A renewal begins at the end of the period before, or as soon as the price is collected.
        guard gap > 3_600_000 else { return wasOverdue && gap >= 0 ? .recovered : .renewed }
        return transaction.isRenewal || wasOverdue ? .recovered : .started
    }

    /// Whether a later period is known that continues the offer of a transaction.
    private static func isContinued(
        at index: Int,
        in chain: PurchaseChain,
        _ known: KnownPurchases
    ) -> Bool {
        let (transactions, transaction) = (chain.transactions, chain.transactions[index])
        // In the order of their dates, so that only those of the same instant may stand before it.
        let start = transactions[..<index].lastIndex { $0.purchasedAt < transaction.purchasedAt }.map { $0 + 1 } ?? 0
        let next = transactions[start...].first { $0.isSubscriptionPeriod && $0.isNewer(than: transaction) }
        guard let next, next.continuesOffer(of: transaction) else { return false }
        return known.state(of: next)?.signedOffer != nil
    }
}

/// The purchases that were known before, by any of their ids.
private struct KnownPurchases {
    private var purchases: [ExactText: PurchaseTransaction] = [:]

    init(_ chain: PurchaseChain?) {
        for purchase in chain?.transactions ?? [] {
            purchases[ExactText(purchase.id)] = purchase
            for id in purchase.otherIDs { purchases[ExactText(id)] = purchase }
        }
    }

    /// What was known of a purchase; nil for a new one. It may have counted as several, until a source showed that it is one.
    func state(of purchase: PurchaseTransaction) -> PurchaseTransaction? {
        if purchase.otherIDs.isEmpty { return purchases[ExactText(purchase.id)] }
        let known = purchase.ids.compactMap { purchases[ExactText($0)] }
        return known.isEmpty ? nil : PurchaseTransaction(copies: known)
    }
}

extension PurchaseTransaction {
    /// The offer, if it is one that a signature gave, or a win-back offer.
    fileprivate var signedOffer: RedeemedOffer? {
        guard isOwn, let offer, offer.kind == .promotional || offer.kind == .winBack else { return nil }
        return offer
    }

    /// Whether it is a further period of the offer that the period before was bought with.
    fileprivate func continuesOffer(of previous: PurchaseTransaction?) -> Bool {
        guard let previous, let offer = signedOffer, previous.signedOffer == offer, let end = previous.expiry?.value
        else { return false }
        return isRenewal || abs(purchasedAt.milliseconds(since: end)) < 60_000
    }
}

extension PurchaseChain {
    /// The end of the last period, if the App Store has stated after it that there is no service any more.
    fileprivate var lapse: (transaction: PurchaseTransaction, at: Instant)? {
        let periods = transactions.filter(\.isSubscriptionPeriod)
        guard let last = periods.max(by: { $1.isNewer(than: $0) }), last.revokedAt == nil, let renewal,
            last.isMeant(by: renewal)
        else { return nil }
        let state = renewal.value
        let end = max(last.expiry!.value, state.gracePeriodExpiresAt ?? last.expiry!.value)
        guard renewal.stamp.asOf >= end else { return nil }
        let isGraceOver = state.gracePeriodExpiresAt != nil
        let isOver = state.isInBillingRetry != true && (state.willRenew == false || state.expirationIntent != nil)
        return isGraceOver || isOver ? (last, end) : nil
    }
}

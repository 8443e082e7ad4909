/// A change of a purchase chain of which the company's systems may want to be notified.
///
/// Each piece of news follows from facts that were not known before. Once known they stay known, so that the same news is found
/// only once, however often sources repeat the facts.
///
/// If a period becomes known before the one that precedes it, the news can differ: it may be `recovered` instead of `renewed`,
/// and the later period may be named as the one that redeemed the offer.
public struct PurchaseNews: Equatable, Sendable {
    /// What has changed.
    public enum Kind: String, Sendable, CaseIterable {
        /// A promotional or win-back offer was redeemed.
        case offerRedeemed = "offer.redeemed"
        /// The purchase that redeemed an offer was refunded.
        case offerRefunded = "offer.refunded"
        /// The first known period of a subscription has begun, or the first one after a lapse.
        case started = "subscription.started"
        /// Another period has begun without a lapse.
        case renewed = "subscription.renewed"
        /// The subscription has ended without a renewal, and the App Store has confirmed that after the end.
        case lapsed = "subscription.lapsed"
        /// The App Store has collected a payment that was overdue.
        case recovered = "subscription.recovered"
        /// A period was refunded or revoked.
        case refunded = "subscription.refunded"
        /// The subscription has moved to another customer.
        case transferred = "subscription.transferred"
    }

    /// The maximum age of news, in ms: 30 days.
    ///
    /// Anything older is history that a source has shown late.
    private static let maxAge: Int64 = 30 * 24 * 3600 * 1000

    /// What has changed.
    public let kind: Kind
    /// When the change took place, by the App Store's time.
    public let at: Instant
    /// The transaction that the change concerns.
    public let transaction: PurchaseTransaction

    /// Returns the news that a chain shows after a source was merged into it, in the order of the changes.
    ///
    /// - Parameters:
    ///   - before: the chain before the merge; nil if nothing was known.
    ///   - after: the chain after the merge.
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
            isRunKnown = true
            // If a later period of the same offer was known before, the redemption has been reported with that one.
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
        // A renewal begins when the period before ends or, if the payment was overdue, when the price is collected.
        guard gap > 3_600_000 else { return wasOverdue && gap >= 0 ? .recovered : .renewed }
        return transaction.isRenewal || wasOverdue ? .recovered : .started
    }

    /// Whether the next period continues the offer of a transaction, and was known to do so before.
    private static func isContinued(
        at index: Int,
        in chain: PurchaseChain,
        _ known: KnownPurchases
    ) -> Bool {
        let (transactions, transaction) = (chain.transactions, chain.transactions[index])
        // Transactions are ordered by date. A newer one can stand before this one only if both have the same date.
        let start = transactions[..<index].lastIndex { $0.purchasedAt < transaction.purchasedAt }.map { $0 + 1 } ?? 0
        let next = transactions[start...].first { $0.isSubscriptionPeriod && $0.isNewer(than: transaction) }
        guard let next, next.continuesOffer(of: transaction) else { return false }
        return known.state(of: next)?.signedOffer != nil
    }
}

/// The purchases that were known before the merge, by each of their transaction ids.
private struct KnownPurchases {
    private var purchases: [ExactText: PurchaseTransaction] = [:]

    init(_ chain: PurchaseChain?) {
        for purchase in chain?.transactions ?? [] {
            purchases[ExactText(purchase.id)] = purchase
            for id in purchase.otherIDs { purchases[ExactText(id)] = purchase }
        }
    }

    /// Returns what was known about a purchase; nil for a new one.
    ///
    /// If a source has just shown that several purchases are one, all that was known about them is merged.
    func state(of purchase: PurchaseTransaction) -> PurchaseTransaction? {
        if purchase.otherIDs.isEmpty { return purchases[ExactText(purchase.id)] }
        let known = purchase.ids.compactMap { purchases[ExactText($0)] }
        return known.isEmpty ? nil : PurchaseTransaction(copies: known)
    }
}

extension PurchaseTransaction {
    /// The promotional or win-back offer with which the customer made the purchase; nil if there is none.
    fileprivate var signedOffer: RedeemedOffer? {
        guard isOwn, let offer, offer.kind == .promotional || offer.kind == .winBack else { return nil }
        return offer
    }

    /// Whether this is a further period of the offer with which the period before was bought.
    fileprivate func continuesOffer(of previous: PurchaseTransaction?) -> Bool {
        guard let previous, let offer = signedOffer, previous.signedOffer == offer, let end = previous.expiry?.value
        else { return false }
        return isRenewal || abs(purchasedAt.milliseconds(since: end)) < 60_000
    }
}

extension PurchaseChain {
    /// The last period and its end; nil unless the App Store has stated after that end that there is no service any more.
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

package import EligibilityRules
import FoundationEssentials
import OfferSigning
import OfferStore
import WireText

/// The events of a customer, as far as they are stored.
package struct CustomerTimeline: Sendable {
    /// The longest gap between two periods, in ms, with which the second still counts as continuing the first.
    private static let tolerance: Int64 = 3_600_000

    /// The events; `inOrder` puts the oldest first.
    package private(set) var events: [TimelineEvent] = []
    /// The instant before which only redeemed signatures are included; nil if all signatures are included.
    package let signaturesSince: Instant?
    private let now: Instant

    /// Makes a timeline without events.
    init(now: Instant, signaturesSince: Instant?) {
        self.now = now
        self.signaturesSince = signaturesSince
    }

    /// The timeline of a customer's purchases alone, without signatures and notifications.
    package init(of chains: [PurchaseChain], now: Instant) {
        self.init(now: now, signaturesSince: nil)
        for chain in chains { add(chain) }
        self = inOrder
    }

    /// The same timeline, sorted by time.
    var inOrder: CustomerTimeline {
        var copy = self
        copy.events.sort { ($0.at, $0.kind, $0.id) < ($1.at, $1.kind, $1.id) }
        return copy
    }

    /// Adds the events of a subscription or another purchase.
    mutating func add(_ chain: PurchaseChain) {
        let periods = Array(zip(chain.withWholePeriods.transactions, chain.periods))
        for isOwn in [true, false] {
            let transactions = periods.filter { $0.0.isOwn == isOwn }
            for (index, (period, parts)) in transactions.enumerated() {
                let next = transactions.indices.contains(index + 1) ? transactions[index + 1].0 : nil
                // Seats that were added in the middle of a period become an event of their own, because they have their own
                // price.
                add(period, as: parts[0], after: index > 0 ? transactions[index - 1].0 : nil, before: next, of: chain)
            }
        }
        for (period, transactions) in periods { addSeats(of: transactions, in: period, of: chain) }
        if let renewal = chain.renewal {
            add(renewal.stamp.asOf, "renewal-\(chain.originalID)", chain, .renewalStatement(renewal.value))
        }
    }

    private mutating func add(
        _ period: PurchaseTransaction,
        as transaction: PurchaseTransaction,
        after previous: PurchaseTransaction?,
        before next: PurchaseTransaction?,
        of chain: PurchaseChain
    ) {
        add(period.purchasedAt, "purchase-\(transaction.id)", chain, content(of: period, as: transaction, after: previous))
        if let revokedAt = period.revokedAt {
            add(
                revokedAt, "refund-\(transaction.id)", chain, transaction.isOwn ? .refund(transaction) : .revocation(transaction))
        } else if let end = period.expiry?.value, end <= now,
            next.map({ $0.purchasedAt > end.advanced(by: Self.tolerance) }) ?? true
        {
            add(end, "lapse-\(transaction.id)", chain, .lapse(transaction))
        }
    }

    private mutating func addSeats(
        of transactions: [PurchaseTransaction],
        in period: PurchaseTransaction,
        of chain: PurchaseChain
    ) {
        for addition in transactions.dropFirst() {
            add(addition.purchasedAt, "purchase-\(addition.id)", chain, .seatAddition(addition))
        }
        guard period.revokedAt == nil else { return }
        for transaction in transactions {
            if let at = transaction.revokedAt { add(at, "refund-\(transaction.id)", chain, .seatRefund(transaction)) }
        }
    }

    private func content(
        of period: PurchaseTransaction,
        as transaction: PurchaseTransaction,
        after previous: PurchaseTransaction?
    ) -> TimelineEvent.Content {
        guard let previous, let end = previous.expiry?.value else { return .purchase(transaction) }
        if period.purchasedAt > min(end, previous.revokedAt ?? end).advanced(by: Self.tolerance) {
            return .resumption(transaction)
        }
        let isSame = ExactText(previous.productID) == ExactText(period.productID)
        return isSame || period.purchasedAt >= end ? .renewal(transaction) : .productChange(transaction)
    }

    /// Adds the arrival of a notification.
    mutating func add(_ notification: NotificationRecord, of chain: PurchaseChain) {
        add(
            notification.receivedAt, "notification-\(Crypto.hexadecimal(notification.key))", chain,
            .notification(version: notification.version, type: notification.type, subtype: notification.subtype))
    }

    /// Adds the signatures of one request.
    ///
    /// - Parameter onlyRedeemed: whether to leave out the signatures that were not redeemed.
    mutating func add(_ entry: LedgerEntry, redeemedBy redeemed: [UUID: String], onlyRedeemed: Bool = false) {
        for signature in entry.signatures where !onlyRedeemed || redeemed[signature.nonce] != nil {
            let nonce = signature.nonce.lowerCaseString
            add(
                entry.signedAt, "signature-\(nonce)", nil,
                .signature(
                    productID: signature.productID, offerID: signature.offerID, nonce: nonce, keyID: entry.keyID,
                    redeemedBy: redeemed[signature.nonce]))
        }
    }

    /// Adds the refusals of one request.
    mutating func add(_ refusals: LedgerRefusals) {
        for (index, offer) in refusals.offers.enumerated() {
            add(
                refusals.refusedAt, "refusal-\(refusals.request.id)-\(refusals.refusedAt.milliseconds)-\(index)", nil,
                .refusal(
                    productID: offer.productID, offerID: offer.offerID, reason: offer.reason, transactionID: offer.evidence))
        }
    }

    private mutating func add(_ at: Instant, _ id: String, _ chain: PurchaseChain?, _ content: TimelineEvent.Content) {
        events.append(TimelineEvent(at: at, id: id, originalTransactionID: chain?.originalID, content: content))
    }
}

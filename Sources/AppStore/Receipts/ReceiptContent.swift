import EligibilityRules

/// The transactions and renewals of a verifyReceipt response or a notification V1, in the style of iOS 6 or of iOS 7.
struct ReceiptContent: Sendable {
    private var items: [ReceiptItem] = []
    private var renewals: [ReceiptRenewal] = []
    private var dates: [Instant] = []

    /// The transactions of a receipt that shows no renewals.
    init(_ items: [ReceiptItem]) { self.items = items }

    /// - Parameter documents: a response, or a notification and the `unified_receipt` within it.
    init(_ documents: [AppleObject]) {
        for document in documents { read(document) }
        for document in documents { readCancellation(besides: document) }
        // Statements about renewal also stand at the top of a document. They are read last, because `pending_renewal_info` has
        // more fields and therefore takes precedence.
        for document in documents { readRenewal(atTopOf: document) }
    }

    /// The latest date in the document that was already past when the document was written; nil if the document shows no such
    /// date.
    ///
    /// The end of a period counts only if the document says that the subscription has expired, because otherwise the end may
    /// still be in the future.
    var latestDate: Instant? {
        let shown = items.flatMap { [$0.purchasedAt, $0.originallyPurchasedAt, $0.cancelledAt] }.compactMap(\.self)
        return (dates + shown + endsOfExpired).max()
    }

    /// Returns all transactions and renewals as a history. All of them get the same stamp.
    func history(_ stamp: Stamp, environment: PurchaseEnvironment?) -> PurchaseHistory {
        PurchaseHistory(
            items.map { $0.chain(stamp, environment: environment) }
                + renewals.map { $0.chain(stamp, environment: environment) })
    }

    private mutating func read(_ document: AppleObject) {
        dates += ["auto_renew_status_change_date", "cancellation_date"].compactMap(document.date)
        if let receipt = document.object("receipt") {
            dates += ["receipt_creation_date", "request_date"].compactMap(receipt.date)
            items += (receipt["in_app"] == nil ? [receipt] : receipt.objects("in_app")).compactMap(ReceiptItem.init)
        }
        for name in ["latest_receipt_info", "latest_expired_receipt_info"] {
            items += document.objects(name).compactMap(ReceiptItem.init)
        }
        for renewal in document.objects("pending_renewal_info") {
            guard let originalID = renewal.text("original_transaction_id") else { continue }
            if let renewal = ReceiptRenewal(renewal, originalID: originalID) { renewals.append(renewal) }
        }
    }

    /// Reads a refund whose date stands at the top of the document instead of in the refunded transaction.
    private mutating func readCancellation(besides document: AppleObject) {
        guard let cancelledAt = document.date("cancellation_date"), !items.contains(where: { $0.cancelledAt != nil })
        else { return }
        let lineItemID = document.lineItemID("web_order_line_item_id")
        let single = document.latestItem
        // After an upgrade, the document shows only the new transaction, which was bought at the instant at which the old one was
        // cancelled. So a transaction that was not bought before the cancellation is not the cancelled one.
        for index in items.indices where items[index].purchasedAt.map({ $0 < cancelledAt }) ?? true {
            let isMeant = lineItemID.map { items[index].lineItemID == $0 } ?? (items[index].id == single?.id)
            if isMeant { items[index].cancelledAt = cancelledAt }
        }
    }

    private mutating func readRenewal(atTopOf document: AppleObject) {
        let stated = document.text("original_transaction_id") ?? document.latestItem?.originalID
        guard let originalID = stated, !renewals.contains(where: { $0.originalID == originalID }) else { return }
        if let renewal = ReceiptRenewal(document, originalID: originalID) { renewals.append(renewal) }
    }

    /// The ends of the last periods of those subscriptions that have expired according to the document.
    private var endsOfExpired: [Instant] {
        let expired = Set(renewals.lazy.filter(\.isPastPeriod).map { ExactText($0.originalID) })
        guard !expired.isEmpty else { return [] }
        var last: [ExactText: (begin: Instant, item: ReceiptItem)] = [:]
        for item in items where !item.isUpgraded {
            let id = ExactText(item.originalID)
            guard let begin = item.purchasedAt, expired.contains(id), last[id].map({ $0.begin < begin }) ?? true else { continue }
            last[id] = (begin, item)
        }
        // A refunded period may end in the future.
        return last.values.compactMap { $0.item.cancelledAt == nil ? $0.item.expiresAt : nil }
    }
}

/// What a receipt states about a subscription's next renewal.
struct ReceiptRenewal: Sendable {
    private static let enumerations: [(String, AppleEnumeration)] = [
        ("auto_renew_status", .autoRenewStatus.inReceipts(or: "true", "false")),
        ("expiration_intent", .expirationIntent.inReceipts()), ("price_consent_status", .priceIncreaseStatus.inReceipts()),
    ]

    /// Apple's `original_transaction_id`.
    let originalID: String
    /// What the service keeps of the statement.
    let state: RenewalState

    /// Returns nil if the object states nothing about a renewal.
    ///
    /// - Parameter object: an item of `pending_renewal_info`, or a document in the style of iOS 6, which has the same fields at
    ///   its top.
    init?(_ object: AppleObject, originalID: String) {
        let state = RenewalState(
            willRenew: object.flag("auto_renew_status"),
            nextProductID: object.text("auto_renew_product_id"),
            isInBillingRetry: object.flag("is_in_billing_retry_period"),
            gracePeriodExpiresAt: object.date("grace_period_expires_date"),
            expirationIntent: object.integer("expiration_intent"),
            priceConsent: object.integer("price_consent_status"),
            particulars: object.particulars(kept: [], dates: ["grace_period_expires_date"], ReceiptRenewal.enumerations)
        )
        guard state != RenewalState() else { return nil }
        self.originalID = originalID
        self.state = state
    }

    /// Whether the last period of the subscription is over.
    var isPastPeriod: Bool { state.expirationIntent != nil || state.isInBillingRetry == true }

    /// Returns a chain that contains this statement and no transactions.
    func chain(_ stamp: Stamp, environment: PurchaseEnvironment?) -> PurchaseChain {
        PurchaseChain(originalID: originalID, environment: environment, outlook: .init(renewal: Stamped(state, stamp)))
    }
}

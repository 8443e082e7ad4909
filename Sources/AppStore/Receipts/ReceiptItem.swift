import EligibilityRules

/// One transaction as a receipt shows it, without a stamp.
struct ReceiptItem: Sendable {
    private static let enumerations: [(String, AppleEnumeration)] = [
        ("in_app_ownership_type", .ownership), ("cancellation_reason", .revocationReason.inReceipts()),
    ]

    private static let dates = ["purchase_date", "original_purchase_date", "expires_date", "cancellation_date"]

    /// Apple's `transaction_id`.
    let id: String
    /// Apple's `original_transaction_id`.
    let originalID: String
    /// Apple's `web_order_line_item_id`, the purchase's own id; nil for purchases other than subscriptions.
    let lineItemID: String?
    /// When the transaction was made; nil if the date cannot be read.
    let purchasedAt: Instant?
    /// When the first transaction of the chain was made; nil if not stated.
    let originallyPurchasedAt: Instant?
    /// The end of the period; nil if not stated.
    let expiresAt: Instant?
    /// When the transaction was refunded or replaced by an upgrade; nil if not stated.
    var cancelledAt: Instant?
    /// Whether an upgrade has replaced the transaction.
    let isUpgraded: Bool
    private let productID: String
    private let groupID: String?
    private let accountToken: String?
    private let ownership: Ownership?
    private let offer: RedeemedOffer?
    private let isTrial: Bool
    private let particulars: Particulars?
    private let hasUnreadableEnd: Bool
    private let hasUnreadableCancellation: Bool

    /// Returns nil if the id, the product or the purchase date is missing. A date that cannot be read does not count as missing.
    init?(_ object: AppleObject) {
        guard let id = object.text("transaction_id"), let productID = object.text("product_id"),
            object.date("purchase_date") != nil || object.unreadableDate("purchase_date") != nil
        else { return nil }
        self.id = id
        self.productID = productID
        purchasedAt = object.date("purchase_date")
        originalID = object.text("original_transaction_id") ?? id
        lineItemID = object.lineItemID("web_order_line_item_id")
        originallyPurchasedAt = object.date("original_purchase_date")
        expiresAt = object.date("expires_date")
        cancelledAt = object.date("cancellation_date")
        isUpgraded = object.flag("is_upgraded") ?? false
        groupID = object.text("subscription_group_identifier")
        accountToken = object.text("app_account_token")?.lowercased()
        ownership = Ownership(appleText: object.text("in_app_ownership_type"))
        offer = object.receiptOffer
        isTrial = object.flag("is_trial_period") == true
        particulars = object.particulars(kept: ["cancellation_reason"], dates: ReceiptItem.dates, ReceiptItem.enumerations)
        hasUnreadableEnd = object.unreadableDate("expires_date") != nil
        hasUnreadableCancellation = object.unreadableDate("cancellation_date") != nil
    }

    /// Returns a chain with this transaction.
    ///
    /// The chain never states that there is no revocation, because unsigned data must not undo a refund. Nor does it distinguish
    /// a refund from an upgrade, because a receipt does not.
    ///
    /// If a date of the transaction cannot be read, the date of the statement takes its place until another source states it; an
    /// end that cannot be read is replaced by the beginning of the period. A period whose beginning or end cannot be read has an
    /// unrecognised kind, so that rules answer that they do not know.
    func chain(_ stamp: Stamp, environment: PurchaseEnvironment?) -> PurchaseChain {
        let begin = purchasedAt ?? stamp.asOf
        let isDoubtful = hasUnreadableEnd || (purchasedAt == nil && expiresAt != nil)
        let unreadEnd = hasUnreadableEnd ? Stamped(begin, Stamp(asOf: Instant(milliseconds: 0), source: stamp.source)) : nil
        let cancellation = cancelledAt ?? (hasUnreadableCancellation ? stamp.asOf : nil)
        return PurchaseChain(
            originalID: originalID,
            groupID: groupID,
            account: .init(appAccountToken: accountToken.map { Stamped(ExactText($0), stamp) }),
            beginning: .init(originallyPurchasedAt: originallyPurchasedAt),
            environment: environment,
            transactions: [
                PurchaseTransaction(
                    id: id,
                    productID: productID,
                    purchasedAt: begin,
                    kind: isDoubtful ? .unrecognised : nil,
                    ownership: ownership,
                    // A receipt states no price, but it says whether a period is free.
                    terms: .init(lineItemID: lineItemID, offer: offer, sale: isTrial ? Sale(discount: Sale.freeTrial) : nil),
                    course: .init(isUpgraded: isUpgraded),
                    state: .init(
                        expiry: expiresAt.map { Stamped($0, stamp) } ?? unreadEnd,
                        cancellation: cancellation.map { Stamped($0, stamp) },
                        particulars: particulars.map { Stamped($0, stamp) })
                )
            ]
        )
    }
}

extension AppleObject {
    /// The offer that a transaction of a receipt was bought with; nil for none.
    fileprivate var receiptOffer: RedeemedOffer? {
        // A free period is marked as a trial, whatever offer it belongs to, so a field that names the offer takes precedence.
        if let id = text("promotional_offer_id") { return RedeemedOffer(kind: .promotional, id: id) }
        if let id = text("offer_code_ref_name") { return RedeemedOffer(kind: .offerCode, id: id) }
        if let id = text("win_back_offer_id") { return RedeemedOffer(kind: .winBack, id: id) }
        let isIntroductory = flag("is_trial_period") == true || flag("is_in_intro_offer_period") == true
        return isIntroductory ? RedeemedOffer(kind: .introductory) : nil
    }
}

import EligibilityRules

/// One transaction as a receipt shows it.
struct ReceiptItem: Sendable {
    private static let enumerations: [(String, AppleEnumeration)] = [
        ("in_app_ownership_type", .ownership), ("cancellation_reason", .revocationReason.inReceipts()),
    ]

    private static let dates = ["purchase_date", "original_purchase_date", "expires_date", "cancellation_date"]

    /// Apple's `transaction_id`.
    let id: String
    /// Apple's `original_transaction_id`.
    let originalID: String
    /// Apple's `web_order_line_item_id`, which identifies the purchase; nil for purchases that are not subscriptions.
    let lineItemID: String?
    /// When the transaction was made; nil if the date cannot be read.
    let purchasedAt: Instant?
    /// When the first transaction of the same subscription was made; nil if the receipt does not state it.
    let originallyPurchasedAt: Instant?
    /// The end of the period; nil if the receipt does not state it.
    let expiresAt: Instant?
    /// When the transaction was refunded or replaced by an upgrade; nil if the receipt states neither.
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

    /// Returns nil if the id, the product or the purchase date is missing. A date whose text cannot be read is not missing.
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
    /// The chain never states that a transaction was not refunded, because unsigned data must not undo a refund. Nor does it
    /// distinguish a refund from an upgrade, because a receipt does not.
    ///
    /// If a date cannot be read, the date of the receipt takes its place until another source states the right one. An end of a
    /// period that cannot be read is replaced by the period's beginning. A period whose beginning or end cannot be read gets an
    /// unrecognised product kind, so that the rules answer `unknown` instead of a wrong verdict.
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
                    // A receipt states no price, but it says whether a period is a free trial.
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
    /// The offer with which a transaction of a receipt was bought; nil if it was bought without an offer.
    fileprivate var receiptOffer: RedeemedOffer? {
        // A free period of any kind of offer is marked as a trial. A field that names the offer therefore takes precedence.
        if let id = text("promotional_offer_id") { return RedeemedOffer(kind: .promotional, id: id) }
        if let id = text("offer_code_ref_name") { return RedeemedOffer(kind: .offerCode, id: id) }
        if let id = text("win_back_offer_id") { return RedeemedOffer(kind: .winBack, id: id) }
        let isIntroductory = flag("is_trial_period") == true || flag("is_in_intro_offer_period") == true
        return isIntroductory ? RedeemedOffer(kind: .introductory) : nil
    }
}

import EligibilityRules

/// One transaction as a receipt shows it, without a stamp.
struct ReceiptItem: Sendable {
    private static let enumerations: [(String, AppleEnumeration)] = [
        ("in_app_ownership_type", .ownership), ("cancellation_reason", .revocationReason.inReceipts()),
    ]

    /// Apple's `transaction_id`.
    let id: String
    /// Apple's `original_transaction_id`.
    let originalID: String
    /// Apple's `web_order_line_item_id`, the purchase's own id; nil for purchases other than subscriptions.
    let lineItemID: String?
    /// When it was bought.
    let purchasedAt: Instant
    /// When the chain began.
    let originallyPurchasedAt: Instant?
    /// The end of the period.
    let expiresAt: Instant?
    /// When it was refunded or upgraded; nil if not stated.
    var cancelledAt: Instant?
    /// Whether a higher level has replaced it.
    let isUpgraded: Bool
    private let object: AppleObject
    private let productID: String

    /// Nil if an id, the product or the purchase date is missing.
    init?(_ object: AppleObject) {
        guard let id = object.text("transaction_id"), let productID = object.text("product_id"),
            let purchasedAt = object.date("purchase_date")
        else { return nil }
        self.id = id
        self.productID = productID
        self.purchasedAt = purchasedAt
        self.object = object
        originalID = object.text("original_transaction_id") ?? id
        lineItemID = object.lineItemID("web_order_line_item_id")
        originallyPurchasedAt = object.date("original_purchase_date")
        expiresAt = object.date("expires_date")
        cancelledAt = object.date("cancellation_date")
        isUpgraded = object.flag("is_upgraded") ?? false
    }

    /// Returns a chain with this transaction.
    ///
    /// It never states that there is no revocation: unsigned data must not undo a refund. Nor does it distinguish a refund from an
    /// upgrade.
    func chain(_ stamp: Stamp, environment: PurchaseEnvironment?) -> PurchaseChain {
        PurchaseChain(
            originalID: originalID,
            groupID: object.text("subscription_group_identifier"),
            account: .init(appAccountToken: object.accountToken(stamp, in: "app_account_token")),
            beginning: .init(originallyPurchasedAt: originallyPurchasedAt),
            environment: environment,
            transactions: [
                PurchaseTransaction(
                    id: id,
                    productID: productID,
                    purchasedAt: purchasedAt,
                    ownership: Ownership(appleText: object.text("in_app_ownership_type")),
                    // A receipt states no price, but it marks free periods.
                    terms: .init(
                        lineItemID: lineItemID, offer: offer,
                        sale: object.flag("is_trial_period") == true ? Sale(discount: Sale.freeTrial) : nil),
                    course: .init(isUpgraded: isUpgraded),
                    state: .init(
                        expiry: expiresAt.map { Stamped($0, stamp) },
                        cancellation: cancelledAt.map { Stamped($0, stamp) },
                        particulars: object.particulars(kept: ["cancellation_reason"], ReceiptItem.enumerations)
                            .map { Stamped($0, stamp) })
                )
            ]
        )
    }

    private var offer: RedeemedOffer? {
        // A free period is marked as a trial, whatever offer it belongs to. A field that names the offer comes first.
        if let id = object.text("promotional_offer_id") { return RedeemedOffer(kind: .promotional, id: id) }
        if let id = object.text("offer_code_ref_name") { return RedeemedOffer(kind: .offerCode, id: id) }
        if let id = object.text("win_back_offer_id") { return RedeemedOffer(kind: .winBack, id: id) }
        let isIntroductory = object.flag("is_trial_period") == true || object.flag("is_in_intro_offer_period") == true
        return isIntroductory ? RedeemedOffer(kind: .introductory) : nil
    }
}

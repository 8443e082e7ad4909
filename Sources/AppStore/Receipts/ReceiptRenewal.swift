import EligibilityRules

/// What a receipt states about a subscription's next renewal, without a stamp.
struct ReceiptRenewal: Sendable {
    private static let enumerations: [(String, AppleEnumeration)] = [
        ("auto_renew_status", .autoRenewStatus.inReceipts(or: "true", "false")),
        ("expiration_intent", .expirationIntent.inReceipts()), ("price_consent_status", .priceIncreaseStatus.inReceipts()),
    ]

    /// Apple's `original_transaction_id`.
    let originalID: String
    /// The state of the renewal.
    let state: RenewalState

    /// Nil if nothing is stated.
    ///
    /// - Parameter object: an item of `pending_renewal_info`, or a document of the old style, which has the same fields.
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

    /// Whether it is about a subscription whose period is over.
    var isPastPeriod: Bool { state.expirationIntent != nil || state.isInBillingRetry == true }

    /// Returns a chain without transactions.
    func chain(_ stamp: Stamp, environment: PurchaseEnvironment?) -> PurchaseChain {
        PurchaseChain(originalID: originalID, environment: environment, outlook: .init(renewal: Stamped(state, stamp)))
    }
}

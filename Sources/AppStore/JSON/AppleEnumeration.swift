/// One of Apple's fields with a fixed set of values, as far as this version knows them.
struct AppleEnumeration: Sendable {
    /// Apple's name of the field.
    let name: String
    private let values: Set<String>

    private init(_ name: String, _ values: Set<String>) {
        self.name = name
        self.values = values
    }

    /// Whether a value is known.
    func isKnown(_ value: String) -> Bool { values.contains(value) }

    static let type = AppleEnumeration(
        "type", ["Auto-Renewable Subscription", "Non-Consumable", "Consumable", "Non-Renewing Subscription"])
    static let ownership = AppleEnumeration("inAppOwnershipType", ["PURCHASED", "FAMILY_SHARED", "ASSIGNED"])
    static let offerType = AppleEnumeration("offerType", ["1", "2", "3", "4", "5"])
    static let offerDiscountType = AppleEnumeration(
        "offerDiscountType", ["FREE_TRIAL", "PAY_AS_YOU_GO", "PAY_UP_FRONT", "ONE_TIME"])
    static let transactionReason = AppleEnumeration("transactionReason", ["PURCHASE", "RENEWAL"])
    static let additionalTransactionReason = AppleEnumeration("additionalTransactionReason", ["SEAT_ADDITION"])
    static let environment = AppleEnumeration("environment", ["Production", "Sandbox", "PROD", "Xcode", "LocalTesting"])
    static let revocationReason = AppleEnumeration("revocationReason", ["0", "1"])
    static let revocationType = AppleEnumeration("revocationType", ["REFUND_FULL", "REFUND_PRORATED", "FAMILY_REVOKE"])
    static let billingPlanType = AppleEnumeration("billingPlanType", ["BILLED_UPFRONT", "MONTHLY"])
    static let renewalBillingPlanType = AppleEnumeration("renewalBillingPlanType", ["BILLED_UPFRONT", "MONTHLY"])
    static let invitationManagement = AppleEnumeration("invitationManagement", ["APPLE", "DEVELOPER"])
    static let autoRenewStatus = AppleEnumeration("autoRenewStatus", ["0", "1", "true", "false"])
    static let expirationIntent = AppleEnumeration("expirationIntent", ["1", "2", "3", "4", "5"])
    static let priceIncreaseStatus = AppleEnumeration("priceIncreaseStatus", ["0", "1"])
    static let status = AppleEnumeration("status", ["1", "2", "3", "4", "5"])
    static let notificationTypeV2 = AppleEnumeration(
        "notificationType",
        [
            "SUBSCRIBED", "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS", "OFFER_REDEEMED", "DID_RENEW", "EXPIRED",
            "DID_FAIL_TO_RENEW", "GRACE_PERIOD_EXPIRED", "PRICE_INCREASE", "REFUND", "REFUND_DECLINED",
            "CONSUMPTION_REQUEST", "RENEWAL_EXTENDED", "REVOKE", "TEST", "RENEWAL_EXTENSION", "REFUND_REVERSED",
            "EXTERNAL_PURCHASE_TOKEN", "ONE_TIME_CHARGE", "RESCIND_CONSENT", "METADATA_UPDATE", "MIGRATION", "PRICE_CHANGE",
            "UNCLAIM_SEATS",
        ])
    static let subtype = AppleEnumeration(
        "subtype",
        [
            "ACCEPTED", "ACTIVE_TOKEN_REMINDER", "AUTO_RENEW_DISABLED", "AUTO_RENEW_ENABLED", "BILLING_RECOVERY",
            "BILLING_RETRY", "CREATED", "DECREASE_QUANTITY", "DOWNGRADE", "FAILURE", "GRACE_PERIOD", "INCREASE_QUANTITY",
            "INITIAL_BUY", "PENDING", "PRICE_INCREASE", "PRODUCT_NOT_FOR_SALE", "RESUBSCRIBE", "SEATS", "SUMMARY", "UPGRADE",
            "UNREPORTED", "VOLUNTARY",
        ])
    static let notificationTypeV1 = AppleEnumeration(
        "notification_type",
        [
            "INITIAL_BUY", "CANCEL", "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS", "DID_FAIL_TO_RENEW",
            "DID_RECOVER", "DID_RENEW", "INTERACTIVE_RENEWAL", "PRICE_INCREASE_CONSENT", "REFUND", "REVOKE",
            "CONSUMPTION_REQUEST", "RENEWAL",
        ])
}

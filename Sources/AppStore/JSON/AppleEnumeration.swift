import WireText

/// A field for which Apple documents a fixed set of values, with the values that this version of the service knows.
struct AppleEnumeration: Sendable {
    /// The type of JSON that Apple uses for the values.
    private enum Form {
        /// A JSON string.
        case text
        /// A whole JSON number.
        case code
        /// A number, a Boolean, or a string that contains one of them. Receipts and notifications V1 have this form.
        case receipt
    }

    /// Apple's name of the field.
    let name: String
    private let values: Set<String>
    private let form: Form

    private init(_ name: String, _ values: Set<String>, _ form: Form = .text) {
        self.name = name
        self.values = values
        self.form = form
    }

    private init(_ name: String, codes: ClosedRange<Int>) { self.init(name, Set(codes.map(String.init)), .code) }

    /// The same field as receipts write it.
    ///
    /// - Parameter words: the values that occur only in receipts.
    func inReceipts(or words: String...) -> AppleEnumeration {
        AppleEnumeration(name, values.union(words), form == .code ? .receipt : form)
    }

    /// Whether this version knows the value, and the value has the type that Apple uses. A number with a fraction is not known.
    func isKnown(_ value: JSONValue) -> Bool {
        switch (form, value) {
        case (.text, .string(let text)): values.contains(text)
        case (.code, .number), (.receipt, .number): value.appleInteger.map { values.contains("\($0)") } ?? false
        case (.receipt, .string(let text)): values.contains(text)
        case (.receipt, .bool(let flag)): values.contains("\(flag)")
        default: false
        }
    }

    static let type = AppleEnumeration(
        "type", ["Auto-Renewable Subscription", "Non-Consumable", "Consumable", "Non-Renewing Subscription"])
    static let ownership = AppleEnumeration("inAppOwnershipType", ["PURCHASED", "FAMILY_SHARED", "ASSIGNED"])
    static let offerType = AppleEnumeration("offerType", codes: 1...5)
    static let offerDiscountType = AppleEnumeration(
        "offerDiscountType", ["FREE_TRIAL", "PAY_AS_YOU_GO", "PAY_UP_FRONT", "ONE_TIME"])
    static let transactionReason = AppleEnumeration("transactionReason", ["PURCHASE", "RENEWAL"])
    static let additionalTransactionReason = AppleEnumeration("additionalTransactionReason", ["SEAT_ADDITION"])
    static let environment = AppleEnumeration("environment", ["Production", "Sandbox", "PROD", "Xcode", "LocalTesting"])
    static let revocationReason = AppleEnumeration("revocationReason", codes: 0...1)
    static let revocationType = AppleEnumeration("revocationType", ["REFUND_FULL", "REFUND_PRORATED", "FAMILY_REVOKE"])
    static let billingPlanType = AppleEnumeration("billingPlanType", ["BILLED_UPFRONT", "MONTHLY"])
    static let renewalBillingPlanType = AppleEnumeration("renewalBillingPlanType", ["BILLED_UPFRONT", "MONTHLY"])
    static let invitationManagement = AppleEnumeration("invitationManagement", ["APPLE", "DEVELOPER"])
    static let autoRenewStatus = AppleEnumeration("autoRenewStatus", codes: 0...1)
    static let expirationIntent = AppleEnumeration("expirationIntent", codes: 1...5)
    static let priceIncreaseStatus = AppleEnumeration("priceIncreaseStatus", codes: 0...1)
    static let status = AppleEnumeration("status", codes: 1...5)
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

public import EligibilityRules
package import WireText

/// The response of verifyReceipt, in the style of iOS 7 or of iOS 6 (docs/app-store.md#receipts).
public struct ReceiptResponse: Sendable {
    /// The status of a valid receipt.
    public static let valid = 0
    /// The status of a genuine receipt in the style of iOS 6 whose subscription has expired. The response still has the content.
    public static let expired = 21006

    /// Apple's status.
    public let status: Int
    /// Whether Apple says that the same request may succeed later.
    public let isRetryable: Bool
    /// The environment in which the purchases were made; nil if the response does not state it.
    public let environment: PurchaseEnvironment?
    /// The app's bundle id; nil unless the receipt is genuine.
    public let bundleID: String?
    /// The history that the receipt shows; empty unless it is genuine.
    ///
    /// No subscription in it counts as shown from its first period, because a response does not say whether old transactions were
    /// excluded.
    public let history: PurchaseHistory
    /// Whether the receipt shows all purchases of the Apple account, as receipts of the iOS 7 style do.
    public let showsAccount: Bool
    /// The instant for which the response's statements are true; the start of 1970 unless the receipt is genuine.
    public let asOf: Instant
    /// The newest receipt of the same customer, in Base64; nil if the response has none.
    public let latestReceipt: String?

    /// Whether the App Store found the receipt genuine.
    public var isGenuine: Bool { status == ReceiptResponse.valid || status == ReceiptResponse.expired }

    /// Returns nil if the response has no status.
    ///
    /// - Parameter host: the environment that was asked. It is needed because a response in the style of iOS 6 does not name it.
    package init?(_ answer: JSONValue, from host: PurchaseEnvironment? = nil) {
        guard let answer = AppleObject(answer), let status = answer.integer("status") else { return nil }
        self.status = Int(status)
        isRetryable = answer.flag("is_retryable") ?? answer.flag("is-retryable") ?? false
        environment = PurchaseEnvironment(appleText: answer.text("environment")) ?? host
        latestReceipt = answer.text("latest_receipt") ?? answer.text("latest_expired_receipt")
        guard status == ReceiptResponse.valid || status == ReceiptResponse.expired else {
            bundleID = nil
            history = PurchaseHistory()
            showsAccount = false
            asOf = Instant(milliseconds: 0)
            return
        }
        let receipt = answer.object("receipt")
        bundleID = receipt?.text("bundle_id") ?? receipt?.text("bid")
        if case .array? = receipt?["in_app"] { showsAccount = true } else { showsAccount = false }
        let content = ReceiptContent([answer])
        asOf = receipt?.date("request_date") ?? content.latestDate ?? Instant(milliseconds: 0)
        history = content.history(Stamp(asOf: asOf, source: .receipt), environment: environment)
    }

    /// Makes a response from the content of a receipt of the iOS 7 style that was read without asking the App Store.
    init(_ items: [ReceiptItem], of bundleID: String, in environment: PurchaseEnvironment?, asOf: Instant, showsAccount: Bool) {
        (status, isRetryable, latestReceipt) = (ReceiptResponse.valid, false, nil)
        (self.environment, self.bundleID, self.asOf, self.showsAccount) = (environment, bundleID, asOf, showsAccount)
        history = ReceiptContent(items).history(Stamp(asOf: asOf, source: .receipt), environment: environment)
    }
}

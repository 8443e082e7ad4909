package import EligibilityRules

/// An event in the history of a customer.
package struct TimelineEvent: Sendable {
    /// What has happened, with its data.
    package enum Content: Sendable {
        /// The first period of a subscription, or a purchase that is no subscription.
        case purchase(PurchaseTransaction)
        /// A period that follows right after another one.
        case renewal(PurchaseTransaction)
        /// A change of product in the middle of a period.
        case productChange(PurchaseTransaction)
        /// A period after a gap, because the customer bought the subscription anew or was charged late.
        case resumption(PurchaseTransaction)
        /// Seats were added in the middle of a period.
        case seatAddition(PurchaseTransaction)
        /// Part of a period's seats was refunded.
        case seatRefund(PurchaseTransaction)
        /// The customer's own purchase was refunded.
        case refund(PurchaseTransaction)
        /// A purchase that another person paid for was revoked.
        case revocation(PurchaseTransaction)
        /// A period ended, and none followed.
        case lapse(PurchaseTransaction)
        /// The last that the App Store has said about the renewal of a subscription.
        case renewalStatement(RenewalState)
        /// A notification of the App Store arrived.
        case notification(version: Int, type: String, subtype: String?)
        /// An offer was signed.
        case signature(productID: String, offerID: String, nonce: String, keyID: String, redeemedBy: String?)
        /// An offer was refused.
        case refusal(productID: String, offerID: String, reason: String, transactionID: String?)
    }

    /// When the event took place.
    package let at: Instant
    /// Identifies the event among those of the customer. It stays the same as long as the data behind the event is stored.
    package let id: String
    /// The subscription that the event is about; nil if it is about none.
    package let originalTransactionID: String?
    /// What has happened, with its data.
    package let content: Content

    /// The kind of event in a word or two, such as `renewal`.
    package var kind: String {
        switch content {
        case .purchase: "purchase"
        case .renewal: "renewal"
        case .productChange: "product-change"
        case .resumption: "resumption"
        case .seatAddition: "seat-addition"
        case .seatRefund: "seat-refund"
        case .refund: "refund"
        case .revocation: "revocation"
        case .lapse: "lapse"
        case .renewalStatement: "renewal-statement"
        case .notification: "notification"
        case .signature: "signature"
        case .refusal: "refusal"
        }
    }

    /// The purchase that the event is about; nil if there is none.
    package var transaction: PurchaseTransaction? {
        switch content {
        case .purchase(let transaction), .renewal(let transaction), .productChange(let transaction), .resumption(let transaction),
            .seatAddition(let transaction), .seatRefund(let transaction), .refund(let transaction), .revocation(let transaction),
            .lapse(let transaction):
            transaction
        case .renewalStatement, .notification, .signature, .refusal: nil
        }
    }
}

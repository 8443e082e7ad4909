package import EligibilityRules

/// Something that happened to a customer.
package struct TimelineEvent: Sendable {
    /// What.
    package enum Content: Sendable {
        /// The first period of a subscription, or another purchase.
        case purchase(PurchaseTransaction)
        /// A period right after another one.
        case renewal(PurchaseTransaction)
        /// Another product in the middle of a period.
        case productChange(PurchaseTransaction)
        /// A period after a gap: bought anew, or charged late.
        case resumption(PurchaseTransaction)
        /// Seats were added in the middle of a period.
        case seatAddition(PurchaseTransaction)
        /// A part of a period's seats was taken back.
        case seatRefund(PurchaseTransaction)
        /// The customer's own purchase was taken back.
        case refund(PurchaseTransaction)
        /// What somebody else paid for was taken back.
        case revocation(PurchaseTransaction)
        /// A period ended, and no other followed.
        case lapse(PurchaseTransaction)
        /// What was last said about the renewal.
        case renewalStatement(RenewalState)
        /// The App Store's word came.
        case notification(version: Int, type: String, subtype: String?)
        /// An offer was signed.
        case signature(productID: String, offerID: String, nonce: String, keyID: String, redeemedBy: String?)
        /// An offer was refused.
        case refusal(productID: String, offerID: String, reason: String, transactionID: String?)
    }

    /// When.
    package let at: Instant
    /// Tells it from the customer's others, as long as it is stored.
    package let id: String
    /// The subscription; nil for what belongs to none.
    package let originalTransactionID: String?
    /// What.
    package let content: Content

    /// What it is called.
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

    /// The purchase that it is about; nil for what is about none.
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

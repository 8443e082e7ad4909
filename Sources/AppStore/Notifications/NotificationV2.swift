public import EligibilityRules
import WireText

/// An App Store Server Notification, version 2. Its signature has been verified.
public struct NotificationV2: Sendable {
    /// Apple's type of the notification. Apple adds new types from time to time.
    public let notificationType: String
    /// Apple's subtype. Apple adds new subtypes from time to time.
    public let subtype: String?
    /// Apple's id of the notification, which stays the same when the notification is sent again.
    public let notificationUUID: String
    /// When the App Store signed the notification; nil if the notification does not say.
    public let signedDate: Instant?
    /// The app's bundle id.
    public let bundleID: String?
    /// The app's id in the App Store. A notification from the sandbox may lack it.
    public let appAppleID: Int64?
    /// The environment in which the event happened; nil if the notification names none, or one that is not known here.
    public let environment: AppStoreEnvironment?
    /// The subscription's state according to Apple, 1 to 5. It is stored and not used: the service derives the state from the
    /// history.
    public let status: Int64?
    /// The seats of a group subscription that no longer have a holder; nil if the notification is about something else.
    public let unclaimedSeats: UnclaimedSeats?
    /// The purchases that the signed data inside the notification shows; empty if there is none.
    public internal(set) var history = PurchaseHistory()
    /// The App Store's question about a purchase for which a customer wants a refund; nil if the notification asks no such
    /// question.
    public internal(set) var consumption: ConsumptionQuestion?
    /// Why the customer asks for a refund; nil if the notification does not say.
    let consumptionRequestReason: String?
    /// The JWS of the transaction inside the notification, not yet verified.
    let signedTransactionInfo: String?
    /// The JWS of the renewal information inside the notification, not yet verified.
    let signedRenewalInfo: String?

    /// What the notification adds about a refund to the transaction inside it; nil if it adds nothing.
    var refundNotice: RefundNotice? {
        switch (notificationType, subtype) {
        case ("REFUND", "SEATS"): .ofSeats
        case ("REFUND_REVERSED", _): .reversal
        default: nil
        }
    }
    /// The names of the fields whose values this version of the service does not know.
    public let unrecognisedFields: [String]
    /// Whether the notification names an environment that is not known here. It is then stored, but its purchases are not used.
    let isOfUnknownEnvironment: Bool

    /// Returns nil if the payload lacks a type, a UUID or the object with the data. That object may be one that Apple added
    /// later.
    init?(_ payload: JSONValue) {
        guard let payload = AppleObject(payload), let notificationType = payload.text("notificationType"),
            let notificationUUID = payload.text("notificationUUID")
        else { return nil }
        let token = payload.object("externalPurchaseToken")
        let named = payload.object("data") ?? payload.object("summary") ?? token
        let seats = notificationType == "UNCLAIM_SEATS" ? payload.object("unclaimInfo") ?? .empty : nil
        guard let data = named ?? seats ?? payload.unknownContainer else { return nil }
        unclaimedSeats = named == nil ? seats.map(UnclaimedSeats.init) : nil
        self.notificationType = notificationType
        subtype = payload.text("subtype")
        self.notificationUUID = notificationUUID
        signedDate = payload.instant("signedDate")
        bundleID = data.text("bundleId")
        appAppleID = data.integer("appAppleId")
        environment = data.environment ?? token.map(NotificationV2.environment)
        isOfUnknownEnvironment = environment == nil && data.text("environment") != nil
        status = data.code("status")
        consumptionRequestReason = data.text("consumptionRequestReason")
        unrecognisedFields =
            payload.unrecognised([.notificationTypeV2, .subtype]) + data.unrecognised([.status, .environment])
        signedTransactionInfo = data.text("signedTransactionInfo")
        signedRenewalInfo = data.text("signedRenewalInfo")
    }

    /// The environment of an external purchase. The token of such a purchase does not state it, but an id from the sandbox begins
    /// with SANDBOX.
    private static func environment(ofToken token: AppleObject) -> AppStoreEnvironment {
        token.text("externalPurchaseId")?.hasPrefix("SANDBOX") == true ? .sandbox : .production
    }
}

extension AppleObject {
    /// The object that names an app: `appData`, or one that Apple has added for a later kind of notification.
    fileprivate var unknownContainer: AppleObject? {
        object("appData") ?? objects.first { $0.text("bundleId") != nil }
    }
}

/// What a notification adds about a refund to the transaction inside it.
package enum RefundNotice {
    /// Only some seats of the purchase were refunded, so the transaction stays valid.
    case ofSeats
    /// A refund of the purchase was reversed. That also undoes a refund that was reported for another transaction id of the
    /// purchase.
    case reversal
}

/// The purchase whose consumption a notification (`CONSUMPTION_REQUEST`) asks about. Its signature has been verified.
public struct ConsumptionQuestion: Equatable, Sendable {
    /// Apple's `transactionId`.
    public let transactionID: String
    /// Apple's `originalTransactionId`.
    public let originalTransactionID: String
    /// Product id.
    public let productID: String
    /// Why the customer wants a refund: Apple's `consumptionRequestReason`. Apple adds new reasons from time to time.
    public let reason: String?
    /// Whether the purchase was made through the Advanced Commerce API. For such a purchase Apple requires another form of
    /// answer.
    public let isAdvancedCommerce: Bool
}

/// The seats of a group subscription that no longer have a holder, as the App Store reports them (`UNCLAIM_SEATS`).
public struct UnclaimedSeats: Sendable {
    private static let maxCount = 1000

    /// The original transaction id of the subscription that the seats belong to; nil if the notification does not state it.
    public let originalTransactionID: String?
    /// Apple's ids of the claims that have ended.
    public let claimIDs: [String]

    init(_ unclaimInfo: AppleObject) {
        originalTransactionID = unclaimInfo.text("originalTransactionId")
        claimIDs = Array((unclaimInfo.texts("unclaimSeatIds") ?? []).prefix(Self.maxCount))
    }
}

public import EligibilityRules
import WireText

/// An App Store Server Notification, version 2. Its signature has been verified.
public struct NotificationV2: Sendable {
    /// Apple's type. New ones appear.
    public let notificationType: String
    /// Apple's subtype. New ones appear.
    public let subtype: String?
    /// The id that identifies repetitions.
    public let notificationUUID: String
    /// When the App Store signed it; nil when it does not say.
    public let signedDate: Instant?
    /// The app's bundle id.
    public let bundleID: String?
    /// The app's id in the App Store; may be absent in the sandbox.
    public let appAppleID: Int64?
    /// The environment of the event; nil for one that is not recognised.
    public let environment: AppStoreEnvironment?
    /// The subscription's state according to Apple, 1…5. It is kept, but the state follows from the history.
    public let status: Int64?
    /// Seats without a holder; nil if it is about something else.
    public let unclaimedSeats: UnclaimedSeats?
    /// The history from the signed data within; empty if there is none.
    public internal(set) var history = PurchaseHistory()
    /// What it asks about a refund; nil if it is about something else.
    public internal(set) var consumption: ConsumptionQuestion?
    /// Why a refund is asked for; nil when it does not say.
    let consumptionRequestReason: String?
    /// The transaction within, not verified.
    let signedTransactionInfo: String?
    /// The renewal information within, not verified.
    let signedRenewalInfo: String?

    /// What it says of a refund, beyond the transaction within; nil if nothing.
    var refundNotice: RefundNotice? {
        switch (notificationType, subtype) {
        case ("REFUND", "SEATS"): .ofSeats
        case ("REFUND_REVERSED", _): .reversal
        default: nil
        }
    }
    /// Fields whose values are not recognised.
    public let unrecognisedFields: [String]
    /// Whether it names an environment that is not recognised. It is then kept, and decides nothing.
    let isOfUnknownEnvironment: Bool

    /// Nil if the payload lacks a type, a UUID, or any kind of data. A kind that is not recognised suffices.
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

    /// Tokens of external purchases name no environment. Those of the sandbox state it in their id.
    private static func environment(ofToken token: AppleObject) -> AppStoreEnvironment {
        token.text("externalPurchaseId")?.hasPrefix("SANDBOX") == true ? .sandbox : .production
    }
}

extension AppleObject {
    /// The object that names an app: `appData`, or that of a kind of notification added later.
    fileprivate var unknownContainer: AppleObject? {
        object("appData") ?? objects.first { $0.text("bundleId") != nil }
    }
}

/// What a notification says of a refund, beyond the transaction within.
package enum RefundNotice {
    /// Some of the seats were refunded, and the transaction stays valid.
    case ofSeats
    /// The refund was reversed, under whichever id of the purchase it was made.
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
    /// Why the customer wants a refund: Apple's `consumptionRequestReason`. New ones appear.
    public let reason: String?
    /// Whether it belongs to the Advanced Commerce API, whose purchases need another kind of answer.
    public let isAdvancedCommerce: Bool
}

/// Seats without a holder, as the App Store reports them (`UNCLAIM_SEATS`).
public struct UnclaimedSeats: Sendable {
    private static let maxCount = 1000

    /// The subscription that they belong to; nil if not stated.
    public let originalTransactionID: String?
    /// Apple's ids of the claims that have ended.
    public let claimIDs: [String]

    init(_ unclaimInfo: AppleObject) {
        originalTransactionID = unclaimInfo.text("originalTransactionId")
        claimIDs = Array((unclaimInfo.texts("unclaimSeatIds") ?? []).prefix(Self.maxCount))
    }
}

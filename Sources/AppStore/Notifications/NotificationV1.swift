public import EligibilityRules
import OfferSigning
package import WireText

/// An App Store Server Notification, version 1. It has no signature: its password is the only proof that it is Apple's.
public struct NotificationV1: Sendable {
    /// Apple's type of the notification, which may be one that this version of the service does not know.
    public let notificationType: String
    /// The app's bundle id.
    public let bundleID: String?
    /// The app's shared secret, as the sender states it. Compare it in constant time, and never show it.
    public let password: String?
    /// The environment in which the event happened; nil if the notification does not state it.
    public let environment: PurchaseEnvironment?
    /// The original transaction id of the subscription that the notification is about; nil if the notification does not state it.
    public let originalTransactionID: String?
    /// The purchases that the notification shows, and the latest date that it states.
    ///
    /// They are computed only when they are asked for, so that an unauthenticated sender cannot cause this work.
    public var shown: (history: PurchaseHistory, at: Instant) {
        let content = ReceiptContent([object] + (object.object("unified_receipt").map { [$0] } ?? []))
        let at = content.latestDate ?? Instant(milliseconds: 0)
        return (content.history(Stamp(asOf: at, source: .notificationV1), environment: environment), at)
    }
    /// The history that the notification shows, as of its latest date.
    public var history: PurchaseHistory { shown.history }
    /// The newest receipt of the Apple account, in Base64. Never show it: its holder could query the customer's purchases.
    public let latestReceipt: String?
    /// The names of the fields whose values this version of the service does not know.
    public let unrecognisedFields: [String]
    /// The bytes by which a notification that Apple sends again is recognised: its JSON without the password and white space.
    ///
    /// Each receipt is replaced by its SHA-256, because a receipt may have megabytes.
    public var identity: [UInt8] {
        content { receipt in
            guard case .string(let text) = receipt else { return receipt }
            return .string(Crypto.hexadecimal(Crypto.sha256(text.utf8)))
        }
    }
    /// The JSON to store: without the password, white space and receipts.
    ///
    /// Receipts are left out, because anyone who holds a receipt can query its owner's purchases for ever.
    public var contentToKeep: [UInt8] { content { _ in nil } }
    private let object: AppleObject

    /// Returns nil if the body is not an object with a type.
    package init?(_ body: JSONValue) {
        guard let object = AppleObject(body), let notificationType = object.text("notification_type") else { return nil }
        let unified = object.object("unified_receipt")
        self.object = object
        self.notificationType = notificationType
        latestReceipt =
            unified?.text("latest_receipt") ?? object.text("latest_receipt") ?? object.text("latest_expired_receipt")
        bundleID = object.text("bid")
        password = object.text("password")
        environment =
            PurchaseEnvironment(appleText: object.text("environment"))
            ?? PurchaseEnvironment(appleText: unified?.text("environment"))
        unrecognisedFields = [
            (notificationType, AppleEnumeration.notificationTypeV1), (object.text("environment"), .environment),
        ]
        .filter { value, enumeration in value.map { !enumeration.isKnown(.string($0)) } ?? false }.map(\.1.name)
        originalTransactionID = object.text("original_transaction_id") ?? object.latestItem?.originalID
    }

    /// Returns the JSON without the password.
    ///
    /// - Parameter replacement: returns what takes the place of a receipt; nil to leave the receipt out.
    private func content(_ replacement: (JSONValue) -> JSONValue?) -> [UInt8] {
        func replaced(_ json: JSONValue) -> JSONValue {
            ["latest_receipt", "latest_expired_receipt"].reduce(json) { json, name in
                json.member(name).map { json.setting(name, replacement($0)) } ?? json
            }
        }
        let bare = replaced(object.without("password"))
        return (bare.member("unified_receipt").map { bare.setting("unified_receipt", replaced($0)) } ?? bare).bytes
    }
}

extension NotificationV1: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Names only the type of the notification, so that no content gets into a log.
    public var description: String { "NotificationV1(\(notificationType))" }

    /// Names only the type of the notification, so that no content gets into a log.
    public var debugDescription: String { description }

    /// Shows only the type of the notification, so that `dump` writes neither a password nor a purchase to a log.
    public var customMirror: Mirror { Mirror(self, children: ["notificationType": notificationType]) }
}

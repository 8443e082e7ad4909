public import EligibilityRules
package import WireText

/// An App Store Server Notification, version 1. It is unsigned, and only its password authenticates it.
public struct NotificationV1: Sendable {
    /// Apple's type, which may be unknown.
    public let notificationType: String
    /// The app's bundle id.
    public let bundleID: String?
    /// The shared secret, as the sender claims it. Compare it in constant time, and never show it.
    public let password: String?
    /// Where the event happened.
    public let environment: PurchaseEnvironment?
    /// The subscription that it is about; nil if not stated.
    public let originalTransactionID: String?
    /// The history that it shows, as of its latest date. It is computed on demand, once the sender is authenticated.
    public var history: PurchaseHistory {
        let stamp = Stamp(asOf: shownAt, source: .notificationV1)
        return content.history(stamp, environment: environment)
    }
    /// The latest instant that it states.
    public var shownAt: Instant { content.latestDate ?? Instant(milliseconds: 0) }
    /// The newest receipt of the Apple account, in Base64. Never show it.
    public let latestReceipt: String?
    /// Fields whose values are not recognised.
    public let unrecognisedFields: [String]
    /// The JSON without the password and white space, which identifies repetitions.
    public let contentWithoutPassword: [UInt8]
    /// The same without receipts, too, for storage. The holder of a receipt can query its owner's purchases forever.
    public var contentToKeep: [UInt8] {
        let names = ("latest_receipt", "latest_expired_receipt")
        guard let bare = AppleObject(object.without("password", names.0, names.1)) else { return [] }
        guard let unified = bare.object("unified_receipt") else { return bare.without().bytes }
        return bare.replacing("unified_receipt", with: unified.without(names.0, names.1)).bytes
    }
    private let object: AppleObject
    private let content: ReceiptContent

    /// Nil if the body is not an object with a type.
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
        contentWithoutPassword = object.without("password").bytes
        content = ReceiptContent([object] + (unified.map { [$0] } ?? []))
    }
}

extension NotificationV1: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type, and none of the content.
    public var description: String { "NotificationV1(\(notificationType))" }

    /// The type, and none of the content.
    public var debugDescription: String { description }

    /// The type, and none of the content, so that `dump` writes neither a password nor a purchase to a log.
    public var customMirror: Mirror { Mirror(self, children: ["notificationType": notificationType]) }
}

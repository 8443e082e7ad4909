public import EligibilityRules
package import WireText

/// An App Store Server Notification, version 1: unsigned, authentic only by its password.
public struct NotificationV1: Sendable {
    /// Apple's type; unknown ones are possible.
    public let notificationType: String
    /// The app's bundle id.
    public let bundleID: String?
    /// What the sender claims the shared secret to be; compare it in constant time, and show it to nobody.
    public let password: String?
    /// Where the event happened.
    public let environment: PurchaseEnvironment?
    /// The subscription that it is about; nil when it does not say.
    public let originalTransactionID: String?
    /// What it shows, as of the latest date in it; worked out when it is asked for, once the sender has proved who it is.
    public var history: PurchaseHistory {
        let stamp = Stamp(asOf: shownAt, source: .notificationV1)
        return content.history(stamp, environment: environment)
    }
    /// The latest instant of which it tells.
    public var shownAt: Instant { content.latestDate ?? Instant(milliseconds: 0) }
    /// The newest receipt of the Apple account, in Base64; show it to nobody.
    public let latestReceipt: String?
    /// Fields whose values nobody knew when this was written.
    public let unrecognisedFields: [String]
    /// The same JSON without the password and white space: what repetitions are told by.
    public let contentWithoutPassword: [UInt8]
    /// The same without receipts, too: what is kept. Who has a receipt can ask what its owner buys, for ever.
    public var contentToKeep: [UInt8] {
        let names = ("latest_receipt", "latest_expired_receipt")
        guard let bare = AppleObject(object.without("password", names.0, names.1)) else { return [] }
        guard let unified = bare.object("unified_receipt") else { return bare.without().bytes }
        return bare.replacing("unified_receipt", with: unified.without(names.0, names.1)).bytes
    }
    private let object: AppleObject
    private let content: ReceiptContent

    /// Nil if the body is no object with a type.
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
        .filter { value, enumeration in value.map { !enumeration.isKnown($0) } ?? false }.map(\.1.name)
        originalTransactionID = object.text("original_transaction_id") ?? object.latestItem?.originalID
        contentWithoutPassword = object.without("password").bytes
        content = ReceiptContent([object] + (unified.map { [$0] } ?? []))
    }
}

extension NotificationV1: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type and nothing of the content.
    public var description: String { "NotificationV1(\(notificationType))" }

    /// The type and nothing of the content.
    public var debugDescription: String { description }

    /// The type and nothing of the content: neither a password nor a purchase gets into a log by `dump`.
    public var customMirror: Mirror { Mirror(self, children: ["notificationType": notificationType]) }
}

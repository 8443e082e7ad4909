public import FoundationEssentials
import WireText

/// The payload of a promotional-offer signature in its original form (docs/app-store.md#payload-signatures).
public struct OfferPayload: Sendable {
    /// U+2063 INVISIBLE SEPARATOR.
    public static let separator = "\u{2063}"

    /// The app's bundle id.
    public let bundleID: String
    /// Apple's id of the signing key.
    public let keyID: String
    /// Product id.
    public let productID: String
    /// Promotional offer id.
    public let offerID: String
    /// Field 5 of the payload: an `appAccountToken` in lower case, or any other `applicationUsername` unchanged, or an empty
    /// text.
    public let applicationUsername: String
    /// The nonce. It is signed in lower case.
    public let nonce: UUID
    /// The time of signing, in ms since 1970.
    public let timestamp: Int64

    /// Throws if an id is empty, or if a field contains the separator. Otherwise two different offers could have the same
    /// payload.
    public init(
        bundleID: String,
        keyID: String,
        productID: String,
        offerID: String,
        applicationUsername: String,
        nonce: UUID,
        timestamp: Int64
    ) throws(SigningError) {
        try OfferPayload.check(bundleID, "bundleId")
        try OfferPayload.check(keyID, "keyIdentifier")
        try OfferPayload.check(productID, "productId")
        try OfferPayload.check(offerID, "offerId")
        try OfferPayload.refuseSeparator(in: applicationUsername, "applicationUsername")
        self.bundleID = bundleID
        self.keyID = keyID
        self.productID = productID
        self.offerID = offerID
        self.applicationUsername = applicationUsername
        self.nonce = nonce
        self.timestamp = timestamp
    }

    /// The seven fields in Apple's order, joined by the separator, in UTF-8.
    public var bytes: [UInt8] { JSONWriter.bytes { write(to: &$0) } }

    /// Calls `body` with the payload's bytes without copying them.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        JSONWriter.withBytes({ write(to: &$0) }, body)
    }

    private func write(to text: inout JSONWriter) {
        func append(_ field: String) {
            text.append(unquoted: field)
            text.append(raw: "\u{2063}")
        }
        append(bundleID)
        append(keyID)
        append(productID)
        append(offerID)
        append(applicationUsername)
        text.append(unquoted: nonce)
        text.append(raw: "\u{2063}")
        text.append(timestamp)
    }

    /// Whether a text contains the separator U+2063, which would look like the end of a field.
    public static func containsSeparator(_ text: String) -> Bool {
        // Most texts do not contain the first byte of U+2063. For them one quick pass over the bytes is enough.
        var copy = text
        return copy.withUTF8 { $0.contains(0xE2) } && text.unicodeScalars.contains("\u{2063}")
    }

    /// Returns field 5 as the App Store compares it: a UUID in lower case, any other text unchanged.
    public static func normalisedUsername(_ username: String) -> String {
        UUID(text: username)?.lowerCaseString ?? username
    }

    private static func check(_ value: String, _ name: StaticString) throws(SigningError) {
        guard !value.isEmpty else { throw SigningError(.fieldEmpty, "\(name) is empty") }
        try refuseSeparator(in: value, name)
    }

    private static func refuseSeparator(in value: String, _ name: StaticString) throws(SigningError) {
        guard !containsSeparator(value) else {
            throw SigningError(.fieldContainsSeparator, "\(name) contains U+2063, which separates the signed fields")
        }
    }
}

public import FoundationEssentials

/// What a promotional-offer signature covers, in its original form (APPLE.md §1).
public struct OfferPayload: Sendable {
    /// U+2063 INVISIBLE SEPARATOR.
    public static let separator = "\u{2063}"

    public let bundleID: String
    public let keyID: String
    public let productID: String
    public let offerID: String
    /// Field 5: an app account token in lower case, an application user name byte for byte, or empty.
    public let applicationUsername: String
    public let nonce: UUID
    /// Milliseconds since 1970.
    public let timestamp: Int64

    /// Refuses empty ids and a separator inside any field: both would let one payload pass for another.
    public init(
        bundleID: String,
        keyID: String,
        productID: String,
        offerID: String,
        applicationUsername: String,
        nonce: UUID,
        timestamp: Int64
    ) throws(SigningError) {
        for (name, value) in [
            ("bundleId", bundleID), ("keyIdentifier", keyID), ("productId", productID), ("offerId", offerID),
        ] {
            guard !value.isEmpty else { throw SigningError(.fieldEmpty, "\(name) is empty") }
            try OfferPayload.refuseSeparator(in: value, name)
        }
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
    public var bytes: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(160 + bundleID.utf8.count + productID.utf8.count + applicationUsername.utf8.count)
        for field in [bundleID, keyID, productID, offerID, applicationUsername] {
            text.append(contentsOf: field.utf8)
            text.append(contentsOf: OfferPayload.separator.utf8)
        }
        nonce.appendLowerCase(to: &text)
        text.append(contentsOf: OfferPayload.separator.utf8)
        JSONText.append(timestamp, to: &text)
        return text
    }

    /// Whether a text holds U+2063, which would forge a field boundary.
    public static func containsSeparator(_ text: String) -> Bool {
        // Only a text with the lead byte can hold it: ASCII is done in one pass.
        text.utf8.contains(0xE2) && text.unicodeScalars.contains("\u{2063}")
    }

    /// Field 5 as the App Store compares it: a UUID in lower case, anything else as given.
    public static func normalisedUsername(_ username: String) -> String {
        UUID(text: username)?.lowerCaseString ?? username
    }

    private static func refuseSeparator(in value: String, _ name: String) throws(SigningError) {
        guard !containsSeparator(value) else {
            throw SigningError(.fieldContainsSeparator, "\(name) contains U+2063, which separates the signed fields")
        }
    }
}

import WireText

/// A promotional-offer signature as an app passes it to StoreKit: every field exactly as passed, mistakes included.
public struct PresentedSignature: Sendable {
    /// The app's bundle id.
    public let bundleID: String
    /// The key id.
    public let keyID: String
    /// Product id.
    public let productID: String
    /// Promotional offer id.
    public let offerID: String
    /// Field 5: an app account token, an application user name, or empty.
    public let applicationUsername: String
    /// The nonce.
    public let nonce: String
    /// The timestamp as passed; milliseconds since 1970 if correct.
    public let timestamp: Int64
    /// The signature as passed; standard Base64 of DER if correct.
    public let signature: String

    /// Takes the values as they are.
    public init(
        bundleID: String,
        keyID: String,
        productID: String,
        offerID: String,
        applicationUsername: String,
        nonce: String,
        timestamp: Int64,
        signature: String
    ) {
        self.bundleID = bundleID
        self.keyID = keyID
        self.productID = productID
        self.offerID = offerID
        self.applicationUsername = applicationUsername
        self.nonce = nonce
        self.timestamp = timestamp
        self.signature = signature
    }
}

extension PresentedSignature {
    /// The bytes of the payload: the fields as passed, with another nonce and timestamp.
    func message(nonce: String, timestamp: Int64) -> [UInt8] {
        let fields = [bundleID, keyID, productID, offerID, applicationUsername, nonce, String(timestamp)]
        return Array(fields.joined(separator: OfferPayload.separator).utf8)
    }

    /// Returns the same signature with another product, offer and field 5.
    public func with(productID: String, offerID: String, applicationUsername: String) -> PresentedSignature {
        PresentedSignature(
            bundleID: bundleID,
            keyID: keyID,
            productID: productID,
            offerID: offerID,
            applicationUsername: applicationUsername,
            nonce: nonce,
            timestamp: timestamp,
            signature: signature
        )
    }
}

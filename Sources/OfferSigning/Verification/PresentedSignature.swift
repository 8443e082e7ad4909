import WireText

/// A promotional-offer signature as an app passes it to StoreKit. Every field is exactly as passed, including its mistakes.
public struct PresentedSignature: Sendable {
    /// The app's bundle id.
    public let bundleID: String
    /// Apple's id of the signing key.
    public let keyID: String
    /// Product id.
    public let productID: String
    /// Promotional offer id.
    public let offerID: String
    /// Field 5 of the payload: an `appAccountToken`, another `applicationUsername`, or an empty text.
    public let applicationUsername: String
    /// The nonce.
    public let nonce: String
    /// The timestamp as passed. It should be in ms since 1970.
    public let timestamp: Int64
    /// The signature as passed. It should be a DER signature in standard Base64.
    public let signature: String

    /// The fields are not checked: `SignatureDiagnosis` finds their mistakes.
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
    /// Returns the payload that consists of the fields as passed, but with this nonce and this timestamp.
    func message(nonce: String, timestamp: Int64) -> [UInt8] {
        let fields = [bundleID, keyID, productID, offerID, applicationUsername, nonce, String(timestamp)]
        return Array(fields.joined(separator: OfferPayload.separator).utf8)
    }

    /// Returns the same signature with another product, another offer and another field 5.
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

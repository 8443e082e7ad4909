/// A promotional-offer signature as somebody hands it to StoreKit: every field exactly as passed, mistakes included.
public struct PresentedSignature: Sendable {
    public let bundleID: String
    public let keyID: String
    public let productID: String
    public let offerID: String
    public let applicationUsername: String
    public let nonce: String
    public let timestamp: Int64
    /// Standard Base64 of the DER signature, if all is well.
    public let signature: String

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
    /// The same with another field 5.
    public func with(applicationUsername: String) -> PresentedSignature {
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

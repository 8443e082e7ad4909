import Foundation

/// Asks whether a signature in the original form is good for what it is believed to sign.
public struct VerifyRequest: Encodable, Sendable {
    /// The app's bundle id; nil where the credential is for one app.
    public var bundleId: String?
    /// Product id.
    public var productId: String
    /// The offer's id.
    public var offerId: String
    /// Field 5, as the app gives it to StoreKit: the user name or the UUID; nil for none.
    public var applicationUsername: String?
    /// The nonce, as the app gives it to StoreKit.
    public var nonce: String
    /// The timestamp, as the app gives it to StoreKit.
    public var timestamp: Int
    /// The signature, as it was received: the Base64 text.
    public var signature: String
    /// Id of the key that is believed to have signed.
    public var keyIdentifier: String

    /// Names what the signature is believed to sign.
    public init(
        productId: String,
        offerId: String,
        applicationUsername: String? = nil,
        nonce: String,
        timestamp: Int,
        signature: String,
        keyIdentifier: String,
        bundleId: String? = nil
    ) {
        self.productId = productId
        self.offerId = offerId
        self.applicationUsername = applicationUsername
        self.nonce = nonce
        self.timestamp = timestamp
        self.signature = signature
        self.keyIdentifier = keyIdentifier
        self.bundleId = bundleId
    }

    /// Names what the service has answered. Change what the app gives StoreKit otherwise.
    public init(_ signed: PayloadSignature, bundleId: String? = nil) {
        self.init(
            productId: signed.productId, offerId: signed.offerId, applicationUsername: signed.applicationUsername,
            nonce: signed.nonce.uuidString.lowercased(), timestamp: signed.timestamp, signature: signed.base64,
            keyIdentifier: signed.keyIdentifier, bundleId: bundleId)
    }
}

/// Whether a signature is good, and if not, why.
public struct VerifyAnswer: Decodable, Equatable, Sendable {
    /// One thing that is wrong.
    public struct Finding: Decodable, Equatable, Sendable {
        /// For programs. There can be others in a later version.
        public let code: String
        /// What is wrong and what to change.
        public let message: String
    }

    /// Whether the App Store can be expected to accept the signature.
    public let isValid: Bool
    /// What is wrong; empty for a valid signature.
    public let findings: [Finding]

    private enum Key: String, CodingKey { case valid, findings }

    /// Reads findings only where there are some.
    public init(from decoder: any Decoder) throws {
        let answer = try decoder.container(keyedBy: Key.self)
        isValid = try answer.decode(Bool.self, forKey: .valid)
        findings = try answer.decodeIfPresent([Finding].self, forKey: .findings) ?? []
    }
}

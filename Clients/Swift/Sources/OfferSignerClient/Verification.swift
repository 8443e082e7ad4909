import Foundation

/// Asks whether the App Store can be expected to accept a signature: one in the payload form with the values that the app passes
/// to StoreKit with it, or a compact JWS.
public struct VerifyRequest: Encodable, Sendable {
    /// The app's bundle id; nil if the access key or token is for one app only, or if the service has only one app.
    public var bundleId: String?
    /// The product's id in App Store Connect. This field and the following ones are nil if a compact JWS is checked.
    public var productId: String?
    /// The id of the promotional offer in App Store Connect.
    public var offerId: String?
    /// Field 5 as the app passes it to StoreKit: the `applicationUsername` or the `appAccountToken`; nil if the app passes
    /// neither.
    public var applicationUsername: String?
    /// The nonce as the app passes it to StoreKit.
    public var nonce: String?
    /// The timestamp as the app passes it to StoreKit, in ms since 1970.
    public var timestamp: Int?
    /// The signature as the app received it: the Base64 text.
    public var signature: String?
    /// The id of the key, as the app passes it to StoreKit.
    public var keyIdentifier: String?
    /// The compact JWS as the app received it, in place of a signature and its values.
    public var compactJWS: String?

    /// Makes a request with the values that the app passes to StoreKit.
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

    /// Makes a request about a compact JWS.
    public init(compactJWS: String, bundleId: String? = nil) {
        self.compactJWS = compactJWS
        self.bundleId = bundleId
    }

    /// Makes a request with the values of the service's answer. If the app passes other values to StoreKit, change these
    /// properties.
    public init(_ signed: PayloadSignature, bundleId: String? = nil) {
        self.init(
            productId: signed.productId, offerId: signed.offerId, applicationUsername: signed.applicationUsername,
            nonce: signed.nonce.uuidString.lowercased(), timestamp: signed.timestamp, signature: signed.base64,
            keyIdentifier: signed.keyIdentifier, bundleId: bundleId)
    }
}

/// Whether a signature is good, and if not, why.
public struct VerifyAnswer: Decodable, Equatable, Sendable {
    /// One thing that is wrong with the signature or the values.
    public struct Finding: Decodable, Equatable, Sendable {
        /// A code for programs, such as `username-case`. A later version may have further codes.
        public let code: String
        /// What is wrong, and what to change, for people.
        public let message: String
    }

    /// Whether the App Store can be expected to accept the signature.
    public let isValid: Bool
    /// What is wrong; empty if the signature is valid.
    public let findings: [Finding]

    private enum Key: String, CodingKey { case valid, findings }

    /// Reads an answer, in which a valid signature has no `findings`.
    public init(from decoder: any Decoder) throws {
        let answer = try decoder.container(keyedBy: Key.self)
        isValid = try answer.decode(Bool.self, forKey: .valid)
        findings = try answer.decodeIfPresent([Finding].self, forKey: .findings) ?? []
    }
}

public import Foundation

/// The result for one offer.
public enum SignatureResult: Decodable, Equatable, Sendable {
    /// A signature in the original form.
    case payload(PayloadSignature)
    /// A compact JWS.
    case jws(JWSSignature)
    /// No signature.
    case refused(Refusal)

    private enum Key: String, CodingKey { case status, form }

    /// Reads the form that `status` and `form` name.
    public init(from decoder: any Decoder) throws {
        let result = try decoder.container(keyedBy: Key.self)
        guard try result.decode(String.self, forKey: .status) == "signed" else {
            self = .refused(try Refusal(from: decoder))
            return
        }
        self =
            try result.decode(String.self, forKey: .form) == "jws"
            ? .jws(try JWSSignature(from: decoder)) : .payload(try PayloadSignature(from: decoder))
    }
}

/// A signature in the original form, for StoreKit 1 and 2.
public struct PayloadSignature: Decodable, Equatable, Sendable {
    /// Product id.
    public let productId: String
    /// The offer's id.
    public let offerId: String
    /// Id of the key that signed.
    public let keyIdentifier: String
    /// The nonce.
    public let nonce: UUID
    /// The time that was signed, in ms since 1970.
    public let timestamp: Int
    /// ASN.1 DER. StoreKit 2 takes these bytes, StoreKit 1 `base64`.
    public let signature: Data
    /// What was signed as field 5: the value for `SKMutablePayment.applicationUsername`. Empty for none.
    public let applicationUsername: String
    /// When the App Store begins to refuse it, in ms since 1970.
    public let expiresAt: Int
    /// The campaign that chose the offer; nil for none.
    public let campaign: ChoosingCampaign?

    /// The signature as StoreKit 1 takes it.
    public var base64: String { signature.base64EncodedString() }
}

/// A compact JWS, for StoreKit 2.
public struct JWSSignature: Decodable, Equatable, Sendable {
    /// Product id.
    public let productId: String
    /// The offer's id.
    public let offerId: String
    /// Id of the key that signed.
    public let keyIdentifier: String
    /// The compact JWS.
    public let compactJWS: String
    /// When the App Store begins to refuse it, in ms since 1970.
    public let expiresAt: Int
    /// The campaign that chose the offer; nil for none.
    public let campaign: ChoosingCampaign?
}

/// Why there is no signature.
public struct Refusal: Decodable, Equatable, Sendable {
    /// Product id; nil where campaigns were asked for any product.
    public let productId: String?
    /// The offer's id; nil where campaigns were asked.
    public let offerId: String?
    /// The first reason, for programs. There can be others in a later version.
    public let code: String
    /// The reason in one sentence.
    public let reason: String
}

/// A campaign that chose an offer.
public struct ChoosingCampaign: Decodable, Equatable, Sendable {
    /// The campaign's id.
    public let id: String
    /// The number of its revision.
    public let revision: Int
    /// The variant's id.
    public let variant: String
}

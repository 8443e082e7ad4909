public import Foundation

/// The result for one offer.
public enum SignatureResult: Decodable, Equatable, Sendable {
    /// A signature in the payload form.
    case payload(PayloadSignature)
    /// A signature in the JWS form.
    case jws(JWSSignature)
    /// The service has not signed the offer.
    case refused(Refusal)

    private enum Key: String, CodingKey { case status, form }

    /// Reads the case that `status` and `form` name. Every status but `signed` is read as a refusal.
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

/// A signature in the payload form, for StoreKit 1 and 2.
public struct PayloadSignature: Decodable, Equatable, Sendable {
    /// The product's id in App Store Connect.
    public let productId: String
    /// The id of the promotional offer in App Store Connect.
    public let offerId: String
    /// The id of the In-App Purchase key that signed.
    public let keyIdentifier: String
    /// The nonce that was signed.
    public let nonce: UUID
    /// The time that was signed, in ms since 1970.
    public let timestamp: Int
    /// The signature's bytes (ASN.1 DER), which StoreKit 2 takes. StoreKit 1 takes `base64`.
    public let signature: Data
    /// The user name that was signed (field 5 of the payload); empty if none was signed. With StoreKit 1 set
    /// `SKMutablePayment.applicationUsername` to exactly this text.
    public let applicationUsername: String
    /// The time from which the App Store refuses the signature, in ms since 1970.
    public let expiresAt: Int
    /// The campaign that chose the offer; nil if the request named the offer itself.
    public let campaign: ChoosingCampaign?

    /// The signature in Base64, as StoreKit 1 takes it.
    public var base64: String { signature.base64EncodedString() }
}

/// A signature in the JWS form, for StoreKit 2.
public struct JWSSignature: Decodable, Equatable, Sendable {
    /// The product's id in App Store Connect.
    public let productId: String
    /// The id of the promotional offer in App Store Connect.
    public let offerId: String
    /// The id of the In-App Purchase key that signed.
    public let keyIdentifier: String
    /// The JWS that the app passes to StoreKit.
    public let compactJWS: String
    /// The time from which the App Store refuses the signature, in ms since 1970.
    public let expiresAt: Int
    /// The campaign that chose the offer; nil if the request named the offer itself.
    public let campaign: ChoosingCampaign?
}

/// An offer that the service has not signed, and why.
public struct Refusal: Decodable, Equatable, Sendable {
    /// The product's id; nil if campaigns were asked for an offer of any product and gave none.
    public let productId: String?
    /// The offer's id; nil if campaigns were asked for an offer and gave none.
    public let offerId: String?
    /// The code of the reason that decided, such as `never-subscribed`. A later version may have further codes.
    public let code: String
    /// The same reason in one sentence, for people.
    public let reason: String
}

/// The campaign that chose an offer.
public struct ChoosingCampaign: Decodable, Equatable, Sendable {
    /// The campaign's id, such as `spring-winback`.
    public let id: String
    /// The number of the campaign's revision that decided; 0 for a draft that a tester tries.
    public let revision: Int
    /// The id of the campaign's variant that gives the offer.
    public let variant: String
}

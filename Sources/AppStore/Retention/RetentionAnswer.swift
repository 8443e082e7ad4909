public import FoundationEssentials
import WireText

/// What the App Store shows a subscriber who is about to cancel.
///
/// The texts were uploaded before. The answer names a text by the UUID under which it was uploaded.
public enum RetentionAnswer: Equatable, Sendable {
    /// The signature of a promotional offer, for the subscription of the request.
    public enum Signature: Equatable, Sendable {
        /// A JWS whose `transactionId` is the request's `originalTransactionId`.
        case v2(String)
        /// A signature in the original form.
        case v1(PayloadSignature)
    }

    /// A signature in the original form, with everything that the App Store needs to check it.
    public struct PayloadSignature: Equatable, Sendable {
        let der: [UInt8]
        let productID: String
        let offerID: String
        let keyID: String
        let nonce: UUID
        let timestamp: Int64
        let appAccountToken: UUID?

        /// - Parameters:
        ///   - der: the signature in ASN.1 DER.
        ///   - timestamp: the signed timestamp, in ms since 1970.
        ///   - appAccountToken: the `appAccountToken` in the signed payload; nil if the payload has none.
        public init(
            der: [UInt8],
            productID: String,
            offerID: String,
            keyID: String,
            nonce: UUID,
            timestamp: Int64,
            appAccountToken: UUID?
        ) {
            self.der = der
            self.productID = productID
            self.offerID = offerID
            self.keyID = keyID
            self.nonce = nonce
            self.timestamp = timestamp
            self.appAccountToken = appAccountToken
        }
    }

    /// The App Store shows a text, with or without a picture.
    case message(UUID)
    /// The App Store shows a text, and proposes another product of the same subscription group.
    ///
    /// `billingPlanType` is Apple's name of a billing plan, `BILLED_UPFRONT` or `MONTHLY`; nil for the plan that the App Store
    /// takes by default.
    case alternateProduct(message: UUID, productID: String, billingPlanType: String? = nil)
    /// The App Store shows a text without a picture, and a promotional offer.
    case promotionalOffer(message: UUID, signature: Signature)

    /// The JSON that the App Store reads.
    public var bytes: [UInt8] {
        JSONWriter.bytes { json in
            switch self {
            case .message(let message):
                json.append(raw: #"{"message":{"#)
                json.append(identifierOf: message)
            case .alternateProduct(let message, let productID, let plan):
                json.append(raw: #"{"alternateProduct":{"#)
                json.append(identifierOf: message)
                json.append(raw: #","productId":"#)
                json.append(productID)
                if let plan {
                    json.append(raw: #","billingPlanType":"#)
                    json.append(plan)
                }
            case .promotionalOffer(let message, .v2(let jws)):
                json.append(raw: #"{"promotionalOffer":{"#)
                json.append(identifierOf: message)
                json.append(raw: #","promotionalOfferSignatureV2":"#)
                json.append(jws)
            case .promotionalOffer(let message, .v1(let signature)):
                json.append(raw: #"{"promotionalOffer":{"#)
                json.append(identifierOf: message)
                json.append(raw: #","promotionalOfferSignatureV1":"#)
                json.append(signature)
            }
            json.append(raw: "}}")
        }
    }
}

extension JSONWriter {
    fileprivate mutating func append(identifierOf message: UUID) {
        append(raw: #""messageIdentifier":""#)
        append(unquoted: message)
        append(raw: #"""#)
    }

    fileprivate mutating func append(_ signature: RetentionAnswer.PayloadSignature) {
        append(raw: #"{"encodedSignature":""#)
        append(base64: signature.der)
        append(raw: #"","productId":"#)
        append(signature.productID)
        append(raw: #","nonce":""#)
        append(unquoted: signature.nonce)
        append(raw: #"","timestamp":"#)
        append(signature.timestamp)
        append(raw: #","keyId":"#)
        append(signature.keyID)
        append(raw: #","offerIdentifier":"#)
        append(signature.offerID)
        if let token = signature.appAccountToken {
            append(raw: #","appAccountToken":""#)
            append(unquoted: token)
            append(raw: #"""#)
        }
        append(raw: "}")
    }
}

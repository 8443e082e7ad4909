import AppStore
import OfferSigning
import WireText

extension RetentionRequest {
    /// The `signedPayload` of a request's body.
    static func signedPayload(of body: [UInt8]) throws(RetentionError) -> String {
        let parsed: JSONValue
        do {
            parsed = try body.withUnsafeBufferPointer { bytes throws(JSONParser.Fault) in try JSONParser.parse(bytes) }
        } catch {
            throw .malformed("the body is not a JSON object at byte \(error.offset): \(error.reason)")
        }
        guard case .string(let jws)? = parsed.member("signedPayload") else {
            throw .malformed("the body must be a JSON object with signedPayload, a string")
        }
        return jws
    }

    /// Identifies a question.
    ///
    /// If the App Store signs the same question again a moment later, this is equal.
    var identity: [UInt8] { Array("\(originalTransactionID)\n\(productID)\n\(userLocale ?? "")".utf8) }

    /// What is to be signed if a campaign gives an offer.
    var signatureRequest: SignatureRequest {
        SignatureRequest(
            customer: CustomerReference(transactionID: originalTransactionID), form: .jws,
            items: [SignatureRequest.Item(productID: "", purpose: .campaignOffer, nonce: nil)],
            occasion: .retention(locale: userLocale))
    }
}

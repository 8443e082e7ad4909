import AppStore
import OfferSigning
import WireText

extension RetentionRequest {
    /// Returns the `signedPayload` in the body of a request.
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

    /// Identifies the question of a request.
    ///
    /// It is the same if the App Store asks the same question again a moment later and signs it anew.
    var identity: [UInt8] { Array("\(originalTransactionID)\n\(productID)\n\(userLocale ?? "")".utf8) }

    /// The request for the signature that a campaign's offer needs.
    var signatureRequest: SignatureRequest {
        SignatureRequest(
            customer: CustomerReference(transactionID: originalTransactionID), form: .jws,
            items: [SignatureRequest.Item(productID: "", purpose: .campaignOffer, nonce: nil)],
            occasion: .retention(locale: userLocale))
    }
}

import EligibilityRules
import OfferSigning

/// The JSON of signed and refused offers.
enum SignatureAnswer {
    /// `{"results":[…]}`, one element a result, in order.
    static func body(_ results: [OfferResult]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(32 + 512 * results.count)
        JSONText.append(raw: #"{"results":["#, to: &text)
        for (index, result) in results.enumerated() {
            if index > 0 { JSONText.append(raw: ",", to: &text) }
            switch result {
            case .signed(let signed): append(signed, to: &text)
            case .refused(let refused): append(refused, to: &text)
            }
        }
        JSONText.append(raw: "]}", to: &text)
        return text
    }

    private static func append(_ signed: SignedOffer, to text: inout [UInt8]) {
        appendHead(signed.item.productID, signed.item.purpose.offerID, to: &text)
        JSONText.append(raw: #","status":"signed","form":"#, to: &text)
        switch signed.token {
        case .payload: JSONText.append(raw: #""payload""#, to: &text)
        case .jws: JSONText.append(raw: #""jws""#, to: &text)
        }
        JSONText.append(raw: #","keyIdentifier":"#, to: &text)
        JSONText.append(signed.keyID, to: &text)
        JSONText.append(raw: #","nonce":""#, to: &text)
        signed.nonce.appendLowerCase(to: &text)
        JSONText.append(raw: #"","timestamp":"#, to: &text)
        JSONText.append(signed.timestamp, to: &text)
        switch signed.token {
        case .payload(let der):
            JSONText.append(raw: #","signature":""#, to: &text)
            Base64.append(der, to: &text)
            JSONText.append(raw: #"","applicationUsername":"#, to: &text)
            JSONText.append(signed.applicationUsername, to: &text)
        case .jws(let compactJWS):
            JSONText.append(raw: #","compactJWS":"#, to: &text)
            JSONText.append(compactJWS, to: &text)
        }
        if signed.item.purpose.offerID != nil {
            JSONText.append(raw: #","expiresAt":"#, to: &text)
            JSONText.append(signed.expiresAt, to: &text)
        }
        if let advice = signed.advice {
            JSONText.append(raw: #","eligibility":{"#, to: &text)
            text += JSONWriter.bytes { EligibilityAnswer.append(advice, to: &$0) }
            JSONText.append(raw: "}", to: &text)
        }
        JSONText.append(raw: "}", to: &text)
    }

    private static func append(_ refused: RefusedOffer, to text: inout [UInt8]) {
        appendHead(refused.productID, refused.offerID, to: &text)
        JSONText.append(raw: #","status":"refused","code":"#, to: &text)
        JSONText.append(refused.code, to: &text)
        JSONText.append(raw: #","reason":""#, to: &text)
        JSONText.append(raw: refused.verdict.reason.message, to: &text)
        JSONText.append(raw: #"""#, to: &text)
        if refused.verdict.transactionID != nil {
            text += JSONWriter.bytes { EligibilityAnswer.appendEvidence(of: refused.verdict, to: &$0) }
        }
        JSONText.append(raw: "}", to: &text)
    }

    private static func appendHead(_ productID: String, _ offerID: String?, to text: inout [UInt8]) {
        JSONText.append(raw: #"{"productId":"#, to: &text)
        JSONText.append(productID, to: &text)
        if let offerID {
            JSONText.append(raw: #","offerId":"#, to: &text)
            JSONText.append(offerID, to: &text)
        }
    }
}

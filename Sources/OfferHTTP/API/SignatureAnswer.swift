import EligibilityRules
package import OfferService
import WireText

/// The JSON of signed and refused offers.
package enum SignatureAnswer {
    /// `{"results":[…]}`, one element a result, in order.
    package static func body(_ issued: IssuedOffers) -> [UInt8] {
        JSONWriter.bytes(capacity: 32 + 512 * issued.items.count) { json in
            json.append(raw: #"{"results":["#)
            for index in issued.items.indices {
                json.append(raw: index == 0 ? "{" : ",{")
                appendNames(of: issued.items[index], to: &json)
                switch issued.results[index] {
                case .signed(let signed): append(signed, issued.items[index], issued, to: &json)
                case .notNeeded(let verdict): append(unneeded: verdict, to: &json)
                case .refused(let verdict): append(verdict, to: &json)
                }
                json.append(raw: "}")
            }
            json.append(raw: "]}")
        }
    }

    private static func append(
        _ signed: SignedOffer,
        _ item: SignatureRequest.Item,
        _ issued: IssuedOffers,
        to json: inout JSONWriter
    ) {
        switch signed.token {
        case .payload: json.append(raw: #","status":"signed","form":"payload","keyIdentifier":"#)
        case .jws: json.append(raw: #","status":"signed","form":"jws","keyIdentifier":"#)
        }
        json.append(issued.keyID)
        json.append(raw: #","nonce":""#)
        json.append(unquoted: signed.nonce)
        json.append(raw: #"","timestamp":"#)
        json.append(issued.timestamp)
        switch signed.token {
        case .payload(let der):
            json.append(raw: #","signature":""#)
            json.append(base64: der)
            json.append(raw: #"","applicationUsername":"#)
            json.append(issued.applicationUsername)
        case .jws(let compactJWS):
            json.append(raw: #","compactJWS":"#)
            json.append(compactJWS)
        }
        if case .promotionalOffer = item.purpose {
            json.append(raw: #","expiresAt":"#)
            json.append(issued.expiresAt)
        }
        if let advice = signed.advice {
            json.append(raw: #","eligibility":{"#)
            EligibilityAnswer.append(advice, to: &json)
            json.append(raw: "}")
        }
    }

    private static func append(_ refusal: Verdict, to json: inout JSONWriter) {
        json.append(raw: #","status":"refused","code":"#)
        json.append(refusal.reason.code)
        json.append(raw: #","reason":""#)
        json.append(raw: refusal.reason.message)
        json.append(raw: #"""#)
        EligibilityAnswer.appendEvidence(of: refusal, to: &json)
    }

    private static func append(unneeded verdict: Verdict, to json: inout JSONWriter) {
        json.append(raw: #","status":"not-needed","reasons":["#)
        EligibilityAnswer.append(reasonsOf: verdict, to: &json)
        json.append(raw: "]")
    }

    private static func appendNames(of item: SignatureRequest.Item, to json: inout JSONWriter) {
        json.append(raw: #""productId":"#)
        json.append(item.productID)
        if case .promotionalOffer(let offerID) = item.purpose {
            json.append(raw: #","offerId":"#)
            json.append(offerID)
        }
    }
}

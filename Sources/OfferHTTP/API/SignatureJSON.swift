import EligibilityRules
package import OfferService
import WireText

/// The JSON of signed and refused offers.
package enum SignatureJSON {
    /// Returns `{"results":[…]}`, one element for each result, in order.
    package static func body(_ issued: IssuedOffers) -> [UInt8] {
        JSONWriter.bytes(capacity: 32 + 512 * issued.results.count) { json in
            json.append(raw: #"{"results":["#)
            for index in issued.results.indices {
                json.append(raw: index == 0 ? "{" : ",{")
                appendNames(of: issued.results[index], to: &json)
                switch issued.results[index].outcome {
                case .signed(let signed): append(signed, issued.results[index].purpose, issued, to: &json)
                case .notNeeded(let verdict): append(unneeded: verdict, to: &json)
                case .refused(let verdict): append(verdict, to: &json)
                }
                if let campaign = issued.results[index].campaign { OffersJSON.append(campaign, to: &json) }
                json.append(raw: "}")
            }
            json.append(raw: "]}")
        }
    }

    private static func append(
        _ signed: SignedOffer,
        _ purpose: SignatureRequest.Purpose,
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
        if case .promotionalOffer = purpose {
            json.append(raw: #","expiresAt":"#)
            json.append(issued.expiresAt)
        }
        if let advice = signed.advice {
            json.append(raw: #","eligibility":{"#)
            EligibilityJSON.append(advice, to: &json)
            json.append(raw: "}")
        }
    }

    private static func append(_ refusal: Verdict, to json: inout JSONWriter) {
        json.append(raw: #","status":"refused","code":"#)
        json.append(refusal.reason.code)
        json.append(raw: #","reason":""#)
        json.append(raw: refusal.reason.message)
        json.append(raw: #"""#)
        EligibilityJSON.appendEvidence(of: refusal, to: &json)
    }

    private static func append(unneeded verdict: Verdict, to json: inout JSONWriter) {
        json.append(raw: #","status":"not-needed","reasons":["#)
        EligibilityJSON.append(reasonsOf: verdict, to: &json)
        json.append(raw: "]")
    }

    private static func appendNames(of result: OfferResult, to json: inout JSONWriter) {
        // The request named no offer, and no campaign has chosen one.
        guard !result.productID.isEmpty else { return json.append(raw: #""productId":null"#) }
        json.append(raw: #""productId":"#)
        json.append(result.productID)
        if case .promotionalOffer(let offerID) = result.purpose {
            json.append(raw: #","offerId":"#)
            json.append(offerID)
        }
    }
}

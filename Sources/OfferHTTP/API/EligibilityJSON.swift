package import EligibilityRules
import OfferService
package import WireText

/// The JSON of an answer about eligibility.
package enum EligibilityJSON {
    /// The JSON of each reason, encoded once.
    private static let reasons: [[UInt8]] = Reason.allCases.map { reason in
        JSONWriter.bytes { json in
            json.append(raw: #"{"code":"#)
            json.append(reason.code)
            json.append(raw: #","message":"#)
            json.append("\(reason.message)")
            json.append(raw: "}")
        }
    }

    /// Returns the JSON of an assessment, with one element for each product.
    package static func body(_ assessment: Assessment) -> [UInt8] {
        JSONWriter.bytes { json in
            json.append(raw: #"{"asOf":"#)
            json.append(assessment.asOf.milliseconds)
            switch assessment.completeness {
            case .none: json.append(raw: #","history":"none","historyUpdatedAt":"#)
            case .partial: json.append(raw: #","history":"partial","historyUpdatedAt":"#)
            case .complete: json.append(raw: #","history":"complete","historyUpdatedAt":"#)
            }
            if let historyUpdatedAt = assessment.historyUpdatedAt {
                json.append(historyUpdatedAt.milliseconds)
            } else {
                json.append(raw: "null")
            }
            if let owner = assessment.subscriptionOwner {
                json.append(raw: #","subscriptionOwner":"#)
                json.append(owner.rawValue)
            }
            json.append(raw: #","products":["#)
            // The loop uses indices, because copying each element would change reference counts.
            for index in assessment.products.indices {
                if index > 0 { json.append(raw: ",") }
                append(assessment.products[index], to: &json)
            }
            json.append(raw: "]}")
        }
    }

    /// Appends `"status":…,"reasons":[…]` without braces, and `,"evidence":{…}` if a transaction decided.
    package static func append(_ verdict: Verdict, to json: inout JSONWriter) {
        switch verdict.status {
        case .eligible: json.append(raw: #""status":"eligible","reasons":["#)
        case .ineligible: json.append(raw: #""status":"ineligible","reasons":["#)
        case .unknown: json.append(raw: #""status":"unknown","reasons":["#)
        case .noOffer: json.append(raw: #""status":"no-offer","reasons":["#)
        }
        append(reasonsOf: verdict, to: &json)
        json.append(raw: "]")
        if verdict.transactionID != nil { appendEvidence(of: verdict, to: &json) }
    }

    /// Appends the elements of `"reasons":[…]`.
    package static func append(reasonsOf verdict: Verdict, to json: inout JSONWriter) {
        json.append(json: reasons[verdict.reason.rawValue])
        for note in verdict.notes {
            json.append(raw: ",")
            json.append(json: reasons[note.rawValue])
        }
    }

    /// Appends `,"evidence":{…}`: the transaction or the limit that decided.
    ///
    /// Appends nothing if neither did.
    static func appendEvidence(of verdict: Verdict, to json: inout JSONWriter) {
        if let limit = verdict.limit {
            json.append(raw: #","evidence":{"limit":"#)
            json.append(limit.rule.rawValue)
            json.append(raw: #","max":"#)
            json.append(Int64(limit.max))
            json.append(raw: #","counted":"#)
            json.append(Int64(limit.counted))
            json.append(raw: #","freesAt":"#)
            if let instant = limit.freesAt { json.append(instant.milliseconds) } else { json.append(raw: "null") }
            return json.append(raw: "}")
        }
        guard let transactionID = verdict.transactionID else { return json.append(raw: #","evidence":{}"#) }
        json.append(raw: #","evidence":{"transactionId":"#)
        json.append(transactionID)
        json.append(raw: "}")
    }

    private static func append(_ assessment: ProductAssessment, to json: inout JSONWriter) {
        json.append(raw: #"{"productId":"#)
        json.append(assessment.product.id)
        json.append(raw: #","subscriptionGroupId":"#)
        json.append(assessment.groupID)
        json.append(raw: #","subscription":{"#)
        append(assessment.subscription, to: &json)
        json.append(raw: #"},"introductoryOffer":{"#)
        append(assessment.introductoryOffer, to: &json)
        if assessment.introductoryOffer.transactionID == nil { appendEvidence(of: assessment.introductoryOffer, to: &json) }
        json.append(raw: #"},"promotionalOffers":["#)
        for (index, offerID) in assessment.product.promotionalOfferIDs.enumerated() {
            json.append(raw: index == 0 ? #"{"offerId":"# : #",{"offerId":"#)
            json.append(offerID)
            json.append(raw: ",")
            append(assessment.promotionalOffers, to: &json)
            json.append(raw: "}")
        }
        json.append(raw: #"],"winBackOffers":["#)
        for (index, id) in assessment.winBackOfferIDs.enumerated() {
            if index > 0 { json.append(raw: ",") }
            json.append(id)
        }
        json.append(raw: "]")
        let links = assessment.winBackLinks
        for (index, offer) in links.enumerated() {
            json.append(raw: index == 0 ? #","winBackOfferLinks":{"# : ",")
            json.append(offer.offerID)
            json.append(raw: ":")
            json.append(offer.link)
        }
        json.append(raw: links.isEmpty ? "}" : "}}")
    }

    private static func append(_ status: SubscriptionStatus, to json: inout JSONWriter) {
        json.append(raw: #""state":"#)
        json.append(status.state.rawValue)
        if let transaction = status.transaction, let expiry = transaction.expiry {
            json.append(raw: #","productId":"#)
            json.append(transaction.productID)
            json.append(raw: #","expiresAt":"#)
            json.append(expiry.value.milliseconds)
        }
        if let willRenew = status.willRenew {
            json.append(raw: willRenew ? #","willRenew":true"# : #","willRenew":false"#)
        }
        if let id = status.originalTransactionID {
            json.append(raw: #","originalTransactionId":"#)
            json.append(id)
        }
    }
}

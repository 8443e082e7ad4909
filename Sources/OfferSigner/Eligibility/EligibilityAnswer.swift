import EligibilityRules
import OfferStore
import WireText

/// The JSON of an answer about eligibility.
enum EligibilityAnswer {
    /// Each reason, written once.
    private static let reasons: [[UInt8]] = Reason.allCases.map { reason in
        JSONWriter.bytes { json in
            json.append(raw: #"{"code":"#)
            json.append(reason.code)
            json.append(raw: #","message":"#)
            json.append("\(reason.message)")
            json.append(raw: "}")
        }
    }

    /// One element for each product.
    static func body(_ products: [SubscriptionProduct], _ customer: Customer, historyUpdatedAt: Instant?) -> [UInt8] {
        JSONWriter.bytes { json in
            json.append(raw: #"{"asOf":"#)
            json.append(customer.now.milliseconds)
            switch customer.completeness {
            case .none: json.append(raw: #","history":"none","historyUpdatedAt":"#)
            case .partial: json.append(raw: #","history":"partial","historyUpdatedAt":"#)
            case .complete: json.append(raw: #","history":"complete","historyUpdatedAt":"#)
            }
            if let historyUpdatedAt {
                json.append(historyUpdatedAt.milliseconds)
            } else {
                json.append(raw: "null")
            }
            json.append(raw: #","products":["#)
            // The same for all of an app's offers: worked out once.
            let promotional = PromotionalOfferRule.verdict(for: customer)
            for (index, product) in products.enumerated() {
                if index > 0 { json.append(raw: ",") }
                append(product, customer, promotional, to: &json)
            }
            json.append(raw: "]}")
        }
    }

    /// `"status":…,"reasons":[…]` and, where a transaction decided, `,"evidence":{…}`, without braces around it.
    static func append(_ verdict: Verdict, to json: inout JSONWriter) {
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

    /// The elements of `"reasons":[…]`.
    static func append(reasonsOf verdict: Verdict, to json: inout JSONWriter) {
        json.append(json: reasons[verdict.reason.rawValue])
        for note in verdict.notes {
            json.append(raw: ",")
            json.append(json: reasons[note.rawValue])
        }
    }

    /// `,"evidence":{…}`, empty where no transaction decided.
    static func appendEvidence(of verdict: Verdict, to json: inout JSONWriter) {
        guard let transactionID = verdict.transactionID else { return json.append(raw: #","evidence":{}"#) }
        json.append(raw: #","evidence":{"transactionId":"#)
        json.append(transactionID)
        json.append(raw: "}")
    }

    private static func append(
        _ product: SubscriptionProduct,
        _ customer: Customer,
        _ promotional: Verdict,
        to json: inout JSONWriter
    ) {
        json.append(raw: #"{"productId":"#)
        json.append(product.id)
        json.append(raw: #","subscriptionGroupId":"#)
        let groupID = customer.groupID(of: product)
        json.append(groupID)
        json.append(raw: #","subscription":{"#)
        append(customer.subscription(inGroup: groupID), to: &json)
        json.append(raw: #"},"introductoryOffer":{"#)
        let introductory = IntroductoryOfferRule.verdict(on: product, for: customer)
        append(introductory, to: &json)
        if introductory.transactionID == nil { appendEvidence(of: introductory, to: &json) }
        json.append(raw: #"},"promotionalOffers":["#)
        for (index, offerID) in product.promotionalOfferIDs.enumerated() {
            json.append(raw: index == 0 ? #"{"offerId":"# : #",{"offerId":"#)
            json.append(offerID)
            json.append(raw: ",")
            append(promotional, to: &json)
            json.append(raw: "}")
        }
        json.append(raw: #"],"winBackOffers":["#)
        for (index, id) in WinBackOfferRule.offerIDs(inGroup: groupID, for: customer).enumerated() {
            if index > 0 { json.append(raw: ",") }
            json.append(id)
        }
        json.append(raw: "]}")
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

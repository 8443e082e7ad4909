import EligibilityRules
import OfferSigning
import OfferStore

/// The JSON of an answer about eligibility.
enum EligibilityAnswer {
    /// One element for each product.
    static func body(_ products: [SubscriptionProduct], _ customer: Customer, historyUpdatedAt: Instant?) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(96 + 1400 * products.count)
        JSONText.append(raw: #"{"asOf":"#, to: &text)
        JSONText.append(customer.now.milliseconds, to: &text)
        JSONText.append(raw: #","historyUpdatedAt":"#, to: &text)
        if let historyUpdatedAt {
            JSONText.append(historyUpdatedAt.milliseconds, to: &text)
        } else {
            JSONText.append(raw: "null", to: &text)
        }
        JSONText.append(raw: #","products":["#, to: &text)
        // The same for all of an app's offers: worked out and written once.
        var promotional: [UInt8] = []
        promotional.reserveCapacity(400)
        append(PromotionalOfferRule.verdict(for: customer), to: &promotional)
        for (index, product) in products.enumerated() {
            if index > 0 { JSONText.append(raw: ",", to: &text) }
            append(product, customer, promotional, to: &text)
        }
        JSONText.append(raw: "]}", to: &text)
        return text
    }

    /// `"status":…,"reasons":[…],"evidence":{…}`, without braces around it.
    static func append(_ verdict: Verdict, to text: inout [UInt8]) {
        JSONText.append(raw: #""status":"#, to: &text)
        JSONText.append(verdict.status.rawValue, to: &text)
        JSONText.append(raw: #","reasons":["#, to: &text)
        for (index, reason) in verdict.reasons.enumerated() {
            JSONText.append(raw: index == 0 ? #"{"code":""# : #",{"code":""#, to: &text)
            text.append(contentsOf: reason.code.utf8)
            JSONText.append(raw: #"","message":""#, to: &text)
            JSONText.append(raw: reason.message, to: &text)
            JSONText.append(raw: #""}"#, to: &text)
        }
        JSONText.append(raw: "]", to: &text)
        appendEvidence(of: verdict, to: &text)
    }

    /// `,"evidence":{…}`, or nothing where no transaction decided.
    static func appendEvidence(of verdict: Verdict, to text: inout [UInt8]) {
        guard let transactionID = verdict.transactionID else { return }
        JSONText.append(raw: #","evidence":{"transactionId":"#, to: &text)
        JSONText.append(transactionID, to: &text)
        JSONText.append(raw: "}", to: &text)
    }

    private static func append(
        _ product: SubscriptionProduct,
        _ customer: Customer,
        _ promotional: [UInt8],
        to text: inout [UInt8]
    ) {
        JSONText.append(raw: #"{"productId":"#, to: &text)
        JSONText.append(product.id, to: &text)
        JSONText.append(raw: #","subscriptionGroupId":"#, to: &text)
        JSONText.append(product.groupID, to: &text)
        JSONText.append(raw: #","subscription":{"#, to: &text)
        append(customer.subscription(inGroup: product.groupID), to: &text)
        JSONText.append(raw: #"},"introductoryOffer":{"#, to: &text)
        append(IntroductoryOfferRule.verdict(on: product, for: customer), to: &text)
        JSONText.append(raw: #"},"promotionalOffers":["#, to: &text)
        for (index, offerID) in product.promotionalOfferIDs.enumerated() {
            JSONText.append(raw: index == 0 ? #"{"offerId":"# : #",{"offerId":"#, to: &text)
            JSONText.append(offerID, to: &text)
            JSONText.append(raw: ",", to: &text)
            text += promotional
            JSONText.append(raw: "}", to: &text)
        }
        JSONText.append(raw: #"],"winBackOffers":["#, to: &text)
        for (index, id) in WinBackOfferRule.offerIDs(inGroup: product.groupID, for: customer).enumerated() {
            if index > 0 { JSONText.append(raw: ",", to: &text) }
            JSONText.append(id, to: &text)
        }
        JSONText.append(raw: "]}", to: &text)
    }

    private static func append(_ status: SubscriptionStatus, to text: inout [UInt8]) {
        JSONText.append(raw: #""state":"#, to: &text)
        JSONText.append(status.state.rawValue, to: &text)
        if let transaction = status.transaction, let expiry = transaction.expiry {
            JSONText.append(raw: #","productId":"#, to: &text)
            JSONText.append(transaction.productID, to: &text)
            JSONText.append(raw: #","expiresAt":"#, to: &text)
            JSONText.append(expiry.value.milliseconds, to: &text)
        }
        if let willRenew = status.willRenew {
            JSONText.append(raw: willRenew ? #","willRenew":true"# : #","willRenew":false"#, to: &text)
        }
        if let id = status.originalTransactionID {
            JSONText.append(raw: #","originalTransactionId":"#, to: &text)
            JSONText.append(id, to: &text)
        }
    }
}

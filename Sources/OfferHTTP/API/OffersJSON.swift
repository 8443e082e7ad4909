import EligibilityRules
import OfferService
import WireText

/// The JSON of the offers that campaigns give.
enum OffersJSON {
    /// Returns the body of the answer.
    ///
    /// It contains `eligibility` unless the rules allow the customer promotional offers.
    static func body(_ findings: OfferInquiry.Findings) -> [UInt8] {
        JSONWriter.bytes { json in
            json.append(raw: #"{"offers":["#)
            for (index, given) in findings.offers.enumerated() {
                json.append(raw: index == 0 ? #"{"productId":"# : #",{"productId":"#)
                json.append(given.offer.productID)
                json.append(raw: #","offerId":"#)
                json.append(given.offer.offerID)
                appendPlan(findings.billingPlan, to: &json)
                append(given.assignment, to: &json)
                json.append(raw: "}")
            }
            for (index, given) in findings.introductoryOffers.enumerated() {
                json.append(raw: index == 0 && findings.offers.isEmpty ? #"{"productId":"# : #",{"productId":"#)
                json.append(given.offer.productID)
                json.append(
                    raw: given.offer.isAllowed
                        ? #","introductoryOffer":{"allow":true}"# : #","introductoryOffer":{"allow":false}"#)
                appendPlan(findings.billingPlan, to: &json)
                append(given.assignment, to: &json)
                json.append(raw: "}")
            }
            for (index, given) in findings.links.enumerated() {
                let isFirst = index == 0 && findings.offers.isEmpty && findings.introductoryOffers.isEmpty
                json.append(raw: isFirst ? #"{"productId":null,"link":"# : #",{"productId":null,"link":"#)
                json.append(given.url)
                append(given.assignment, to: &json)
                json.append(raw: "}")
            }
            json.append(raw: #"],"assignments":["#)
            for (index, assignment) in findings.assignments.enumerated() {
                json.append(raw: index == 0 ? #"{"campaign":"# : #",{"campaign":"#)
                json.append(assignment.campaignID)
                appendRest(of: assignment, to: &json)
            }
            json.append(raw: "]")
            if findings.verdict.status != .eligible {
                json.append(raw: #","eligibility":{"#)
                EligibilityJSON.append(findings.verdict, to: &json)
                json.append(raw: "}")
            }
            json.append(raw: "}")
        }
    }

    /// Appends `,"billingPlan":"monthly"` for offers of that plan; nothing for offers of the default plan.
    private static func appendPlan(_ plan: BillingPlan, to json: inout JSONWriter) {
        if plan == .monthly { json.append(raw: #","billingPlan":"monthly""#) }
    }

    /// Appends `,"campaign":{…}`: the campaign that chose an offer.
    static func append(_ assignment: CampaignAssignment, to json: inout JSONWriter) {
        json.append(raw: #","campaign":{"id":"#)
        json.append(assignment.campaignID)
        appendRest(of: assignment, to: &json)
    }

    private static func appendRest(of assignment: CampaignAssignment, to json: inout JSONWriter) {
        json.append(raw: #","revision":"#)
        json.append(Int64(assignment.revision.number))
        json.append(raw: #","variant":"#)
        json.append(assignment.variant)
        if let rehearsal = assignment.rehearsal {
            json.append(raw: rehearsal.isOutsideAudience ? #","rehearsal":true,"outsideAudience":true"# : #","rehearsal":true"#)
        }
        json.append(raw: "}")
    }
}

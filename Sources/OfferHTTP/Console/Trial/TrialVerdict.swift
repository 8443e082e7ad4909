import EligibilityRules
import OfferService

/// The result of a trial in words: what the customer gets.
struct TrialVerdict: TemplateView {
    let tone: String
    let badge: String
    /// The time that the trial is about.
    let asOf: RichText
    let sentence: String
    let because: String

    init(_ answer: CampaignTrial.Answer, _ visit: CampaignVisit) {
        let customer = answer.customer
        let decision = answer.evaluation.decision
        asOf = visit.time.at(customer.facts.asOf)
        let name = customer.customerID ?? customer.name
        if let first = decision.offers.first {
            let words = decision.offers.map { given in
                OfferWords(catalogue: visit.app.catalogue, for: given.assignment.revision.campaign).text(given.offer)
            }
            let others = decision.offers.count > 1 ? " and \(ConsoleTime.count(decision.offers.count - 1, "other offer"))" : ""
            let isAllowed = Self.verdict(of: first.offer, for: customer)?.status != .ineligible
            tone = isAllowed ? "good" : "warn"
            badge = isAllowed ? "Gets an offer" : "Apple allows no offer"
            sentence = "Customer \(name) gets \(words[0])\(others)."
            because =
                "Because of \(Self.name(first.assignment)), variant \(first.assignment.variant)."
                + (decision.offers.count > 1 ? " All of them: \(words.joined(separator: "; "))." : "")
            return
        }
        tone = "idle"
        guard let first = decision.assignments.first else {
            badge = "Gets no offer"
            sentence = "No campaign takes customer \(name)."
            because = "Below is why each was passed over."
            return
        }
        badge = "Gets no offer, on purpose"
        if case .heldOut = first.allocation {
            sentence = "Customer \(name) is held out of \(Self.name(first))."
            because = "Customers who are held out never get it, and show its long-term effect."
        } else {
            sentence = "Customer \(name) is in the control group of \(Self.name(first))."
            because = "That is how we see what happens without an offer."
        }
    }

    private static func name(_ assignment: CampaignAssignment) -> String { "“\(assignment.revision.campaign.name)”" }

    private static func verdict(of offer: CampaignVariant.Offer, for customer: TriedCustomer) -> Verdict? {
        customer.assessment.products.first { $0.product.id == offer.productID }?.promotionalOffers
    }
}

import EligibilityRules
import OfferService
import WireText

/// What the campaigns decide for a customer, as text for a terminal and as JSON for programs.
struct CampaignEvaluationText {
    private let evaluation: CampaignEvaluation
    private let customer: TriedCustomer
    private let attributes: Attributes
    private let bundleID: String

    init(_ evaluation: CampaignEvaluation, _ customer: TriedCustomer, _ attributes: Attributes, bundleID: String) {
        (self.evaluation, self.customer, self.attributes, self.bundleID) = (evaluation, customer, attributes, bundleID)
    }

    /// A paragraph for each campaign, in the order in which campaigns decide, and then the offers.
    var lines: [String] {
        let facts = customer.facts
        var lines = [
            "\(customer.name) in \(bundleID), \(facts.environment.name), as of \(facts.asOf.iso8601), "
                + "history: \(facts.completeness.rawValue)"
        ]
        for attribute in attributes.all {
            lines.append("attribute \(attribute.name) (not verified): \(ConditionText.words(attribute.value))")
        }
        for explanation in evaluation.campaigns { lines += [""] + self.lines(explanation) }
        let offers =
            evaluation.decision.offers.flatMap(self.lines) + evaluation.decision.introductoryOffers.flatMap(self.lines)
            + evaluation.decision.links.map { "  \($0.url), by \($0.assignment.campaignID), variant \($0.assignment.variant)" }
        lines += ["", offers.isEmpty ? "offers: none" : "offers:"] + offers
        return lines
    }

    /// The whole evaluation, with its customer and its instant, in the shape of `POST /v1/admin/campaigns/try`.
    var json: JSONValue {
        .members([
            "bundleId": .string(bundleID), "customerId": .string(customer.name),
            "environment": .string(customer.facts.environment.name), "asOf": .instant(customer.facts.asOf),
            "attributes": .object(attributes.all.map { JSONValue.Member(name: $0.name, value: $0.value.json) }),
            "offers": evaluation.json(for: customer).member("offers"),
            "assignments": evaluation.json(for: customer).member("assignments"),
            "campaigns": evaluation.json(for: customer).member("campaigns"),
        ])
    }

    private func lines(_ explanation: CampaignExplanation) -> [String] {
        let campaign = explanation.revision.campaign
        var lines = ["\(campaign.id) (\(campaign.name)), priority \(campaign.slot.priority)", "  \(explanation.words)"]
        if let audience = explanation.audience {
            lines.append("  audience:")
            lines += self.lines(audience, indent: "")
        } else {
            lines.append("  audience: all customers")
        }
        guard let unit = explanation.unit else { return lines }
        lines.append("  buckets of \(campaign.design.unit.rawValue) \(unit):")
        for purpose in Bucket.Purpose.allCases {
            guard let bucket = explanation.buckets[purpose] else { continue }
            lines.append(
                "    \(purpose.rawValue.padded(9))hash \(String(bucket.hash).padded(12))bucket \(String(bucket.number).padded(6))"
                    + explanation.words(purpose, bucket))
        }
        return lines
    }

    /// Returns a line for the condition, and below it the lines of its parts.
    private func lines(_ trace: ConditionTrace, indent: String) -> [String] {
        let line = "    \(trace.truth.word.padded(9))\(indent)"
        if trace.kind == .not, trace.parts.allSatisfy(\.parts.isEmpty) {
            return ["\(line)it is known not to hold: \(trace.parts.map(\.words).joined())"]
        }
        return ["\(line)\(trace.words)"] + trace.parts.flatMap { lines($0, indent: "  \(indent)") }
    }

    private func lines(_ given: CampaignIntroductoryOffer) -> [String] {
        let by = "by \(given.assignment.campaignID), variant \(given.assignment.variant)"
        let line = "  \(given.offer.isAllowed ? "" : "no ")introductory offer of \(given.offer.productID), \(by)"
        let product = customer.assessment.products.first { $0.product.id == given.offer.productID }
        guard let verdict = product?.introductoryOffer else { return [line, "    the catalogue has no such product"] }
        let what =
            switch customer.outcome(given) {
            case .override(let allowed): "an override with \(allowed) is signed"
            case .notNeeded: "no override is needed, the App Store gives it"
            case nil: "the campaign changes nothing, the App Store decides"
            }
        return [line, "    eligibility: \(verdict.status.rawValue): \(verdict.reason.message)", "    \(what)"]
    }

    private func lines(_ offer: CampaignOffer) -> [String] {
        let (productID, offerID) = (offer.offer.productID, offer.offer.offerID)
        let by = "by \(offer.assignment.campaignID), variant \(offer.assignment.variant)"
        let product = customer.assessment.products.first { $0.product.id == productID }
        guard let product else { return ["  \(offerID) of \(productID), \(by)", "    the catalogue has no such product"] }
        let verdict = product.promotionalOffers
        return ["  \(offerID) of \(productID), \(by)", "    eligibility: \(verdict.status.rawValue): \(verdict.reason.message)"]
    }
}

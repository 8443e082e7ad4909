import EligibilityRules
import OfferService
import WireText

/// What campaigns would give a customer, as the API shows it.
enum TrialJSON {
    /// - Parameter app: the app in the requested environment.
    static func answer(_ answer: CampaignTrial.Answer, in app: App) -> JSONValue {
        let verdict = answer.customer.promotionalOffers
        return .members([
            "asOf": .instant(answer.customer.facts.asOf), "environment": .string(app.environmentName),
            "hasPurchases": .bool(answer.customer.trace != .nothing), "offers": answer.evaluation.json.member("offers"),
            "assignments": answer.evaluation.json.member("assignments"),
            "campaigns": answer.evaluation.json.member("campaigns"), "paused": .texts(answer.paused),
            "eligibility": .members([
                "status": .string(verdict.status.rawValue),
                "reasons": .array(
                    verdict.reasons.map { .members(["code": .string($0.code), "message": .string("\($0.message)")]) }),
            ]),
        ])
    }
}

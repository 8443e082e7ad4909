import EligibilityRules
import Hummingbird
import OfferService
import WireText

/// `/v1/admin/campaigns/try`: shows what the campaigns would give one customer, and why.
///
/// It signs nothing, and counts nothing against a limit.
struct TrialController: Sendable {
    let trial: CampaignTrial
    let apps: AppDirectory

    var routes: [OperationRoute] {
        [
            OperationRoute(.tryCustomer, respond: attempt)
        ]
    }

    private func attempt(_ request: OperationRequest) async throws -> Response {
        let (bundleID, environment, question) = try request.read { reader in
            let environment: App.Environment? = reader.optionalChoice("environment")
            return (reader.optionalText("bundleId"), environment, try Self.question(reader))
        }
        let app = try apps.app(named: bundleID, for: request.caller).app(in: environment).withPurchases()
        return TrialJSON.answer(try await trial.answer(question, of: app), in: app).asResponse()
    }

    private static func question(_ reader: ObjectReader) throws(RequestFault) -> CampaignTrial.Question {
        CampaignTrial.Question(
            customer: .named(EligibilityController.reference(reader, isNamed: false)),
            attributes: .values(reader.attributes()), placement: reader.optionalText("placement"),
            billingPlan: reader.optionalChoice("billingPlan") ?? .upfront,
            draftOf: reader.optionalText("with"),
            at: reader.optionalInteger("at", in: RequestBounds.instants).map { Instant(milliseconds: Int64($0)) })
    }
}

/// What campaigns would give a customer, as the API shows it.
enum TrialJSON {
    /// - Parameter app: the app in the requested environment.
    static func answer(_ answer: CampaignTrial.Answer, in app: App) -> JSONValue {
        let verdict = answer.customer.promotionalOffers
        return .members([
            "asOf": .instant(answer.customer.facts.asOf), "environment": .string(app.environmentName),
            "hasPurchases": .bool(answer.customer.trace != .nothing),
            "offers": answer.evaluation.json(for: answer.customer).member("offers"),
            "assignments": answer.evaluation.json(for: answer.customer).member("assignments"),
            "campaigns": answer.evaluation.json(for: answer.customer).member("campaigns"), "paused": .texts(answer.paused),
            "eligibility": .members([
                "status": .string(verdict.status.rawValue),
                "reasons": .array(
                    verdict.reasons.map { .members(["code": .string($0.code), "message": .string("\($0.message)")]) }),
            ]),
        ])
    }
}

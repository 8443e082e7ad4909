import EligibilityRules
import HTTPTypes
import Hummingbird
import OfferService
import WireText

/// `/v1/admin/campaigns/reach`: the number of stored customers in an audience that is being written.
struct ReachController: Sendable {
    // A caller whose count takes longer receives its progress.
    private static let patience = Duration.seconds(1)

    let reach: CampaignReach
    let campaigns: CampaignAdministration

    var routes: [OperationRoute] {
        [
            OperationRoute(
                path: "/v1/admin/campaigns/reach", method: .post, access: .needs(.campaigns), maxBodySize: CampaignDesk.maxBytes,
                respond: count)
        ]
    }

    private func count(_ request: OperationRequest) async throws -> Response {
        _ = try request.query([])
        let (bundleID, environment, audience) = try request.read(fields: ["bundleId", "environment", "audience"]) { reader in
            let environment: App.Environment? = reader.optionalChoice("environment")
            return (reader.optionalText("bundleId"), environment, reader.value("audience"))
        }
        let app = try campaigns.apps.app(named: bundleID, for: request.caller).app(in: environment).withPurchases()
        let condition: Condition?
        do throws(CampaignFaults) {
            condition = try audience.map { json throws(CampaignFaults) in try Condition(json: json, at: "audience") }
        } catch {
            throw RequestFault.invalidFields(error.faults)
        }
        let segments = Segments(try await campaigns.segments.list(of: app.bundleID).map(\.segment))
        do {
            switch try await reach.count(condition?.withSegmentsPutIn(segments), of: app, within: Self.patience) {
            case .counting(let progress):
                return JSONValue.members([
                    "status": .string("counting"), "counted": .integer(progress.done), "of": .integer(progress.total),
                ]).asResponse(.accepted)
            case .counted(let count, let funnel, let instant):
                return ReachJSON.answer(count, funnel, at: instant).asResponse()
            }
        } catch let error as AudienceFunnel.Unreadable {
            throw RequestFault.invalidFields(error.findings.map { FieldFault(name: $0.path, reason: $0.message) })
        }
    }
}

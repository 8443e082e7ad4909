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
        let fields = ["bundleId", "environment", "audience", "campaign"]
        let (bundleID, environment, audience, text) = try request.read(fields: fields) { reader in
            let environment: App.Environment? = reader.optionalChoice("environment")
            let (audience, text) = (reader.value("audience"), reader.value("campaign").map(CampaignText.init(json:)))
            if audience != nil, text != nil { reader.refuse("audience", "must be left out: the campaign has one") }
            return (reader.optionalText("bundleId"), environment, audience, text)
        }
        let named = bundleID ?? text?.campaign?.bundleID
        let app = try campaigns.apps.app(named: named, for: request.caller).app(in: environment).withPurchases()
        let condition: Condition?
        do throws(CampaignFaults) {
            condition = try audience.map { json throws(CampaignFaults) in try Condition(json: json, at: "audience") }
        } catch {
            throw RequestFault.invalidFields(error.faults)
        }
        let faults = text?.faults ?? []
        guard faults.isEmpty else {
            throw RequestFault.invalidFields(faults.map { FieldFault(name: "campaign.\($0.name)", reason: $0.reason) })
        }
        var segments = Segments(try await campaigns.segments.list(of: app.bundleID).map(\.segment))
        var campaign: Campaign?
        if let text {
            campaign = try await campaigns.withSegments(text, of: app).campaign
            segments = Segments(campaign?.segments ?? [])
        }
        let wanted = (condition ?? campaign?.audience)?.withSegmentsPutIn(segments)
        do {
            switch try await reach.count(wanted, of: app, within: Self.patience) {
            case .counting(let progress):
                return JSONValue.members([
                    "status": .string("counting"), "counted": .integer(progress.done), "of": .integer(progress.total),
                ]).asResponse(.accepted)
            case .counted(let count, let funnel, let instant):
                return ReachJSON.answer(count, funnel, campaign, at: instant).asResponse()
            }
        } catch let error as AudienceFunnel.Unreadable {
            throw RequestFault.invalidFields(error.findings.map { FieldFault(name: $0.path, reason: $0.message) })
        }
    }
}

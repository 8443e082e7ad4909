import EligibilityRules
import HTTPTypes
import Hummingbird
import OfferService
import WireText

/// `/v1/admin/campaigns/{id}/testers`: the testers, who try a campaign before customers get it.
struct CampaignTestersController: Sendable {
    // This many testers are read, although fewer are permitted. The use case then refuses a list that is too long, with the right
    // error code.
    private static let maxRead = 10 * CampaignTester.maxCount

    let campaigns: CampaignAdministration

    var routes: [OperationRoute] {
        [
            OperationRoute(.getCampaignTesters) { request in
                let app = try campaigns.apps.app(named: request.query["bundleId"], for: request.caller)
                return try await answer(campaigns.campaign(request.parameter("id"), of: app))
            },
            OperationRoute(.setCampaignTesters, respond: set),
        ]
    }

    private func set(_ request: OperationRequest) async throws -> Response {
        let (bundleID, reason, testers) = try request.read { reader in
            let testers = reader.objects("testers", count: 0...Self.maxRead, fields: NamedSchema.campaignTester.fields).map(
                Self.tester)
            return (reader.optionalText("bundleId"), reader.text(within: .reason), testers)
        }
        let app = try campaigns.apps.app(named: bundleID, for: request.caller)
        let outcome = try await campaigns.setTesters(
            testers, of: request.parameter("id"), app, seen: request.seenVersion, by: request.origin, reason: reason)
        switch outcome {
        case .done(let campaign): return try await answer(campaign)
        case .changedMeanwhile(let now): throw Problem.changedMeanwhile(now.lastChangeText)
        }
    }

    /// Reads a tester. Exactly one of the possible kinds of id must be given.
    private static func tester(_ reader: ObjectReader) -> CampaignTester {
        let ids = BucketingUnit.allCases.compactMap { kind in reader.optionalText(kind.apiName).map { (kind: kind, id: $0) } }
        if ids.count != 1 {
            let names = BucketingUnit.allCases.map(\.apiName)
            reader.refuse(
                names[0], "must be the only id; give just one of \(names.joined(separator: ", "))")
        }
        return CampaignTester(
            kind: ids.first?.kind ?? .customer, id: ids.first?.id ?? "", variant: reader.text("variant"),
            note: reader.text(within: .testerNote))
    }

    private func answer(_ campaign: ManagedCampaign) async throws -> Response {
        let counts = try await campaigns.rehearsals(of: campaign)
        return JSONValue.members([
            "testers": CampaignJSON.testers(campaign), "rehearsal": CampaignResultsJSON.rehearsal(counts),
        ]).asResponse(tag: campaign.tag)
    }
}

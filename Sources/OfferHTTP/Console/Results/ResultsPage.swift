import EligibilityRules
import HTTPTypes
import Hummingbird
import NIOCore
import OfferService

/// The page about the results of a campaign.
///
/// The page says which variant is better, and whether that can be trusted.
struct ResultsPage: Sendable {
    let route: CampaignRoute
    let desk: CampaignResultsDesk

    var routes: [OperationRoute] {
        [
            route.get("/campaigns/{id}/results") { request, visit in
                let query = try request.query(["storefront"])
                return try await page(try await route.campaign(request, visit), visit, storefront: query["storefront"] ?? "")
            },
            route.get("/campaigns/{id}/results.csv") { request, visit in
                _ = try request.query([])
                let campaign = try await route.campaign(request, visit)
                guard case .counted(let report, _) = try await desk.results(of: campaign.name.id, visit.app) else {
                    return route.route.pages.redirect(to: visit.path(campaign.name.id, "results"))
                }
                let text = CampaignResultsCSV.text(report)
                return route.route.pages.download(
                    ResponseBody(byteBuffer: ByteBuffer(string: text)), type: "text/csv; charset=utf-8",
                    name: "\(campaign.name.id)-results.csv")
            },
        ]
    }

    private func page(_ campaign: ManagedCampaign, _ visit: CampaignVisit, storefront: String) async throws -> Response {
        let figures = campaign.published == nil ? nil : try await desk.results(of: campaign.name.id, visit.app)
        var rehearsals: [RehearsalCount] = []
        if case .counted = figures { rehearsals = try await desk.rehearsals(of: campaign.name.id, visit.app) }
        let view = ResultsView(
            campaign, visit, figures, rehearsals, try await route.notes(campaign, at: .results, visit), storefront: storefront)
        var response = route.route.pages.page(
            view, title: "\(campaign.title): results", at: .campaigns, in: visit.app.bundleID, for: visit.visitor)
        if view.counting != nil { response.headers[HTTPField.Name("Refresh")!] = "2" }
        return response
    }
}

import EligibilityRules
import HTTPTypes
import Hummingbird
import NIOCore
import OfferService

/// The results of a campaign: which variant is better, and whether that can be trusted.
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
        var values = CampaignHead(visit: visit, campaign: campaign, part: .results).values()
        values["report"] = false
        values["counting"] = false
        values["rehearsal"] = false
        values["rule"] = visit.path(campaign.name.id, "rule")
        var isCounting = false
        if campaign.published != nil {
            switch try await desk.results(of: campaign.name.id, visit.app) {
            case .counted(let report, _):
                values["report"] =
                    ResultsView(report: report, campaign: campaign, visit: visit, storefront: storefront).values
                values["rehearsal"] = rehearsal(try await desk.rehearsals(of: campaign.name.id, visit.app), campaign, visit)
            case .counting(let progress):
                isCounting = true
                values["counting"] = [
                    "done": ConsoleTime.number(progress.done),
                    "total": progress.total.map { "of \(ConsoleTime.number($0))" } ?? "",
                    "width": ConsoleTime.percent(progress.done, of: max(1, progress.total ?? 0)),
                ]
            }
        }
        var response = route.route.pages.page(
            .campaignResults, values, title: "\(CampaignHead.name(campaign)): results", at: .campaigns, in: visit.app.bundleID,
            for: visit.visitor)
        if isCounting { response.headers[HTTPField.Name("Refresh")!] = "2" }
        return response
    }

    /// Returns the testers' counts; false if there are none.
    private func rehearsal(_ counts: [RehearsalCount], _ campaign: ManagedCampaign, _ visit: CampaignVisit) -> Any {
        guard !counts.isEmpty else { return false }
        return [
            "href": visit.path(campaign.name.id, "testers"),
            "variants": counts.enumerated().map { place, count in
                [
                    "variant": count.variant,
                    "times": "(\(ConsoleTime.count(count.exposed, "tester")), \(ConsoleTime.count(count.signed, "signature")))",
                    "separator": place + 1 < counts.count ? ", " : ".",
                ]
            },
        ] as [String: Any]
    }
}

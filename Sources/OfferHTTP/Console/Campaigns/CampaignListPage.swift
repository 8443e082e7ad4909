import Hummingbird
import OfferService

/// The page that lists the campaigns of an app.
struct CampaignListPage: Sendable {
    private static let done = [
        "pause": NoticeView(
            tone: "good", text: "Paused: no customer gets it from now on. Every customer keeps their variant."),
        "resume": NoticeView(tone: "good", text: "It counts again, for the same customers as before."),
        "end": NoticeView(tone: "good", text: "The campaign has ended."),
        "archive": NoticeView(tone: "good", text: "Archived: it stands under Archived, with its results."),
        "unarchive": NoticeView(tone: "good", text: "It is out of the archive."),
        "discarded": NoticeView(tone: "good", text: "The draft is gone."),
        "meanwhile": NoticeView(
            tone: "warn", text: "Nothing was changed: another person has changed the campaign meanwhile. This is how it is now."),
    ]

    private static let steps: Set<CampaignStep> = [.pause, .resume, .archive, .unarchive]

    let route: CampaignRoute

    var routes: [OperationRoute] {
        [
            route.get("/campaigns") { request, visit in
                let query = try request.query(CampaignSearch.fields + ["done"])
                return try await page(CampaignSearch(query), visit, done: query["done"].flatMap { Self.done[$0] })
            },
            route.post("/campaigns/{id}/state", .campaignRuns) { request, visit, form in
                let campaign = try await route.campaign(request, visit)
                let step = CampaignStep(rawValue: form["op"]).flatMap { Self.steps.contains($0) ? $0 : nil } ?? .pause
                // Only an ended campaign can be archived. If its schedule is over but no user has ended it, it is ended first.
                let steps = step == .archive && !campaign.position.isEnded ? [.end, step] : [step]
                var isDone = step != .archive || campaign.state == .ended
                if isDone {
                    let outcome = try await route.campaigns.take(
                        steps, campaign.name.id, of: visit.app, seen: form.seen, by: request.origin)
                    isDone = if case .done = outcome { true } else { false }
                }
                let search = CampaignSearch(try request.query(CampaignSearch.fields))
                let query = search.query(tab: search.tab, page: search.page, done: isDone ? step.rawValue : "meanwhile")
                return route.route.pages.redirect(to: visit.path + query)
            },
        ]
    }

    private func page(_ search: CampaignSearch, _ visit: CampaignVisit, done: NoticeView?) async throws -> Response {
        // A campaign that was never published and whose draft was discarded is not shown. Only the audit log still mentions it.
        let all = try await route.campaigns.outlines(of: visit.app).filter(\.hasText)
        // If the figures cannot be read, the list is shown without them.
        let figures = (try? await route.campaigns.figures(of: visit.app)) ?? [:]
        let writers = visit.may(.campaignDrafts) ? nil : try await route.people(.campaignDrafts, visit)
        return route.route.pages.page(
            CampaignListView(all, search, figures, visit, writers: writers, done: done), title: "Campaigns", at: .campaigns,
            in: visit.app.bundleID, for: visit.visitor)
    }

    /// Returns pausing or resuming, whichever is possible; nil if neither is.
    static func step(_ campaign: ManagedCampaign) -> CampaignStep? {
        [.pause, .resume].first { campaign.position.after($0) != nil }
    }
}

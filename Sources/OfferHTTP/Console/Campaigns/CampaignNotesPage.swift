import Hummingbird
import OfferService
import WireText

/// Takes notes on a campaign.
struct CampaignNotesPage: Sendable {
    private static let maxNote = 500

    let route: CampaignRoute

    var routes: [OperationRoute] {
        [
            route.post("/campaigns/{id}/notes", .campaignRuns) { request, visit, form in
                let (id, note) = (request.parameter("id"), String(form["note"].trimmed.unicodeScalars.prefix(Self.maxNote)))
                if !note.isEmpty { _ = try await route.campaigns.note(note, on: id, of: visit.app, by: request.origin) }
                let part = CampaignHead.Part.allCases.first { $0.path == form["place"] } ?? .history
                return route.route.pages.redirect(to: visit.path(id, part.path) + "#notes")
            }
        ]
    }
}

extension CampaignRoute {
    /// Returns the notes on a campaign, for one of its tabs.
    func notes(_ campaign: ManagedCampaign, at part: CampaignHead.Part, _ visit: CampaignVisit) async throws -> CampaignNotesView
    {
        let activity = try await campaigns.activity(of: campaign.name.id, visit.app, limit: CampaignNotesView.looked)
        return CampaignNotesView(campaign, activity, at: part, visit)
    }
}

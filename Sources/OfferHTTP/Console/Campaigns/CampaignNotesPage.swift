import Hummingbird
import OfferService
import WireText

/// The route that adds a note to a campaign.
struct CampaignNotesPage: Sendable {
    let route: CampaignRoute

    var routes: [OperationRoute] {
        [
            route.post("/campaigns/{id}/notes", .campaignRuns, keepsForm: true) { request, visit, form in
                let (id, note) = (request.parameter("id"), form["note"].trimmed)
                guard form.isOfThisSession else {
                    return try await CampaignHistoryPage(route: route).page(
                        try await route.campaign(request, visit), [:], keptNote: (note, .kept), visit)
                }
                do {
                    if !note.isEmpty { _ = try await route.campaigns.note(note, on: id, of: visit.app, by: request.origin) }
                } catch CampaignError.invalidReason(let fault) {
                    let why = NoticeView(tone: "bad", text: "The note \(fault.reason). It was not added.")
                    return try await CampaignHistoryPage(route: route).page(
                        try await route.campaign(request, visit), [:], keptNote: (note, why), visit)
                }
                let part = CampaignHead.Part.allCases.first { $0.path == form["place"] } ?? .history
                return route.route.pages.redirect(to: visit.path(id, part.path) + "#notes")
            }
        ]
    }
}

extension CampaignRoute {
    /// Returns the notes on a campaign, for one of its tabs.
    ///
    /// - Parameters:
    ///   - kept: a note that could not be saved, and why; nil if there is none.
    ///   - unsaved: the unsaved note in the editor's open form; nil if the page has no such form.
    func notes(
        _ campaign: ManagedCampaign,
        at part: CampaignHead.Part,
        kept: (text: String, why: NoticeView)? = nil,
        unsaved: String? = nil,
        _ visit: CampaignVisit
    ) async throws -> CampaignNotesView {
        let activity = try await campaigns.activity(
            of: campaign.name.id, visit.app, hasReason: true, limit: CampaignNotesView.shown)
        return CampaignNotesView(campaign, activity, at: part, kept: kept, unsaved: unsaved, visit)
    }
}

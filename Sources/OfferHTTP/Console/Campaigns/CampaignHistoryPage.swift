import Hummingbird
import OfferService

/// The page that lists a campaign's published revisions and all activity.
///
/// On it a user can compare revisions, and choose a revision to roll back to.
struct CampaignHistoryPage: Sendable {
    /// The word with which the query names the draft in place of a revision.
    static let draft = "draft"
    /// The number of revisions on a page.
    static let rows = 50

    let route: CampaignRoute

    private var campaigns: CampaignAdministration { route.campaigns }

    var routes: [OperationRoute] {
        [
            route.get("/campaigns/{id}/history") { request, visit in
                let query = try request.query(["from", "to", "before", "activity"])
                return try await page(try await route.campaign(request, visit), query, visit)
            }
        ]
    }

    /// Answers with the page.
    ///
    /// - Parameter keptNote: a note that could not be saved, and why; nil if there is none.
    func page(
        _ campaign: ManagedCampaign,
        _ query: [String: String],
        keptNote: (text: String, why: NoticeView)? = nil,
        _ visit: CampaignVisit
    ) async throws -> Response {
        let latest = campaign.published?.number ?? 0
        let found = try await campaigns.revisions(
            of: campaign.name.id, visit.app, before: query["before"].flatMap { Int($0) }, limit: Self.rows + 1)
        let activity = try await campaigns.activity(
            of: campaign.name.id, visit.app, before: query["activity"].flatMap { Int64($0) }, limit: Self.rows + 1)
        let notes = try await route.notes(campaign, at: .history, kept: keptNote, visit)
        let to = query["to"] ?? (campaign.draft == nil ? "\(latest)" : Self.draft)
        let from = query["from"] ?? "\(to == Self.draft ? campaign.draft?.basedOn ?? latest : (Int(to) ?? 1) - 1)"
        let changes = ChangeWords(visit: visit).rows(
            from: try await text(from, campaign, visit), to: try await text(to, campaign, visit))
        let whoRolls =
            visit.may(.campaignApprovals) || latest < 2
            ? nil : "These can roll back: \(try await route.people(.campaignApprovals, visit))."
        return route.route.pages.page(
            CampaignHistoryView(
                campaign, CampaignHistoryView.Comparison(from: from, to: to, changes: changes), found, activity, notes,
                whoRolls: whoRolls, visit),
            title: "\(campaign.title): history", at: .campaigns, in: visit.app.bundleID, for: visit.visitor)
    }

    private func text(_ version: String, _ campaign: ManagedCampaign, _ visit: CampaignVisit) async throws -> CampaignText? {
        if version == Self.draft { return campaign.draft?.text ?? campaign.published?.text }
        guard let number = Int(version), number > 0 else { return nil }
        return try await campaigns.revision(number, of: campaign.name.id, visit.app).text
    }
}

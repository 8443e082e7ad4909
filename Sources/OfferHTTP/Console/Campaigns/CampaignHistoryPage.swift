import Hummingbird
import OfferService

/// Published revisions: the changes of each, and the rollback to one.
struct CampaignHistoryPage: Sendable {
    private static let draft = "draft"
    private static let rows = 50

    let route: CampaignRoute

    private var campaigns: CampaignAdministration { route.campaigns }

    var routes: [OperationRoute] {
        [
            route.get("/campaigns/{id}/history") { request, visit in
                let query = try request.query(["from", "to", "before"])
                return try await page(try await route.campaign(request, visit), query, visit)
            }
        ]
    }

    private func page(_ campaign: ManagedCampaign, _ query: [String: String], _ visit: CampaignVisit) async throws -> Response {
        let latest = campaign.published?.number ?? 0
        let found = try await campaigns.revisions(
            of: campaign.name.id, visit.app, before: query["before"].flatMap { Int($0) }, limit: Self.rows + 1)
        let to = query["to"] ?? (campaign.draft == nil ? "\(latest)" : Self.draft)
        let from = query["from"] ?? "\(to == Self.draft ? campaign.draft?.basedOn ?? latest : (Int(to) ?? 1) - 1)"
        let changes = ChangeWords(visit: visit).rows(
            from: try await text(from, campaign, visit), to: try await text(to, campaign, visit))
        let path = visit.path(campaign.name.id, "history")
        var values: [String: Any] = [
            "action": path, "rule": visit.path(campaign.name.id, "rule"), "hasRevisions": latest > 0,
            "froms": versions(campaign, from), "tos": versions(campaign, to), "hasChanges": !changes.isEmpty, "changes": changes,
            "revisions": found.prefix(Self.rows).map { row($0, campaign, visit) },
            "older": found.count > Self.rows ? "\(path)?before=\(found[Self.rows - 1].number)" : false as Any,
            "whoRolls": visit.may(.campaignApprovals) || latest < 2
                ? false as Any : "These can roll back: \(try await route.people(.campaignApprovals, visit)).",
        ]
        values.merge(CampaignHead(visit: visit, campaign: campaign, part: .history).values()) { $1 }
        return route.route.pages.page(
            .campaignHistory, values, title: "\(CampaignHead.name(campaign)): history", at: .campaigns, in: visit.app.bundleID,
            for: visit.visitor)
    }

    private func text(_ version: String, _ campaign: ManagedCampaign, _ visit: CampaignVisit) async throws -> CampaignText? {
        if version == Self.draft { return campaign.draft?.text ?? campaign.published?.text }
        guard let number = Int(version), number > 0 else { return nil }
        return try await campaigns.revision(number, of: campaign.name.id, visit.app).text
    }

    private func versions(_ campaign: ManagedCampaign, _ chosen: String) -> [[String: Any]] {
        let latest = campaign.published?.number ?? 0
        var all = campaign.draft == nil ? [] : [(Self.draft, "the draft")]
        all += stride(from: latest, through: max(1, latest - Self.rows), by: -1).map { ("\($0)", "revision \($0)") }
        all.append(("0", "nothing"))
        if !all.contains(where: { $0.0 == chosen }) { all.append((chosen, "revision \(chosen)")) }
        return all.map { ["id": $0.0, "label": $0.1, "isChosen": $0.0 == chosen] }
    }

    private func row(_ revision: ManagedCampaign.Revision, _ campaign: ManagedCampaign, _ visit: CampaignVisit) -> [String: Any] {
        let isLatest = revision.number == campaign.published?.number
        let mayRollBack = visit.may(.campaignApprovals) && !isLatest && campaign.position.after(.rollBack) != nil
        return [
            "number": revision.number, "copyOf": revision.copyOf.map { "\($0)" } ?? false as Any, "isLatest": isLatest,
            "published": visit.time.at(revision.published.at, withZone: false), "publisher": visit.name(revision.published.by),
            "authors": revision.authors.map(visit.name).joined(separator: ", "), "approver": visit.name(revision.approved.by),
            "note": revision.published.reason,
            "rollback": mayRollBack ? visit.path(campaign.name.id, "rollback") + "?to=\(revision.number)" : false as Any,
        ]
    }
}

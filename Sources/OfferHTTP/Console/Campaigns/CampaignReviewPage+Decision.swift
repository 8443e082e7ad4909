import EligibilityRules
import OfferService

// The reader's next steps, or the people who may take them instead.
extension CampaignReviewPage {
    private struct Box {
        var action: String
        var title: String
        var text: String
        var buttons: [(op: String, label: String)] = []
        var link: (href: String, label: String, isPrimary: Bool)?
        var noteLabel = ""
        var noteHint = ""
        var note = ""
        var hint = ""
    }

    /// Returns the values for the template; false if nothing waits for a decision.
    func decision(
        _ campaign: ManagedCampaign,
        _ input: DecisionInput,
        _ findings: [CampaignFinding],
        _ approvers: [AccessKey],
        _ visit: CampaignVisit
    ) async throws -> Any {
        guard let draft = campaign.draft, !campaign.position.isEnded else { return false }
        let box: Box =
            switch draft.phase {
            case .none: Box(action: "", title: "", text: "")
            case .writing, .rejected: try await unsent(campaign, draft, visit)
            case .inReview: inReview(campaign, draft, approvers, visit)
            case .approved: try await approved(campaign, draft, visit)
            }
        return [
            "action": box.action, "seen": "\(campaign.version)", "title": box.title, "text": box.text,
            "hasNote": !box.noteLabel.isEmpty, "noteLabel": box.noteLabel, "noteHint": box.noteHint,
            "note": input.note.isEmpty ? box.note : input.note,
            "noteError": FieldView.optional(input.noteError), "hint": FieldView.optional(box.hint),
            "buttons": box.buttons.enumerated().map {
                ["op": $1.op, "label": $1.label, "isPrimary": $0 == 0 && box.link?.isPrimary != true] as [String: Any]
            },
            "link": box.link.map { ["href": $0.href, "label": $0.label, "isPrimary": $0.isPrimary] as [String: Any] } ?? false,
        ] as [String: Any]
    }

    private func unsent(_ campaign: ManagedCampaign, _ draft: ManagedCampaign.Draft, _ visit: CampaignVisit) async throws -> Box {
        let rule = visit.path(campaign.name.id, "rule")
        let isRejected = draft.phase == .rejected
        let title = isRejected ? "Sent back\(draft.ruled.map { " by \(visit.name($0.by))" } ?? "")" : "Not sent to review yet"
        guard visit.may(.campaignDrafts) else {
            return Box(
                action: rule, title: title,
                text: "These can change it and send it to review: \(try await route.people(.campaignDrafts, visit)).")
        }
        return Box(
            action: visit.path(campaign.name.id, "submit"), title: title,
            text: "Another person reviews it before customers get it.", buttons: [("submit", "Send to review")],
            link: (rule, "Change the rule", isRejected), noteLabel: "Note to the approver",
            noteHint: "What do you expect, and why? Everybody who may see the campaign can read it.", note: draft.saved.reason)
    }

    private func inReview(
        _ campaign: ManagedCampaign,
        _ draft: ManagedCampaign.Draft,
        _ approvers: [AccessKey],
        _ visit: CampaignVisit
    ) -> Box {
        let review = visit.path(campaign.name.id, "review")
        let authors = draft.authors.map(visit.name).joined(separator: ", ")
        if approvers.contains(where: { $0.id == visit.caller.id }) {
            let text = draft.text.campaign
            let starts = text?.schedule.from.flatMap { $0 > visit.now ? $0 : nil }
            let when = starts.map { "Customers get it from \(visit.planned($0)). Until then nothing changes for them." }
            return Box(
                action: review, title: "Your decision",
                text: "You are \(visit.caller.note). \(authors) wrote this draft, so you may approve it.",
                buttons: [("publish", "Approve and publish"), ("approve", "Approve, publish later"), ("back", "Send back")],
                noteLabel: "Note to \(authors)",
                noteHint: "Needed if you send it back. Everybody who may see the campaign can read it.",
                hint: (campaign.published.map { "Publishing replaces revision \($0.number). " } ?? "")
                    + (when ?? "Customers get it at once."))
        }
        let others = CampaignRoute.words(approvers)
        let isAuthor = draft.authors.contains(visit.caller.id)
        let text =
            isAuthor
            ? "You wrote this draft, so you cannot approve it. These can: \(others). To change something, take it back first."
            : "These can approve it: \(others)."
        guard visit.may(.campaignDrafts) else { return Box(action: review, title: "Waiting for another person", text: text) }
        return Box(
            action: visit.path(campaign.name.id, "rule"), title: "Waiting for another person", text: text,
            buttons: [("take-back", "Take back to draft")])
    }

    private func approved(_ campaign: ManagedCampaign, _ draft: ManagedCampaign.Draft, _ visit: CampaignVisit) async throws -> Box
    {
        let title = draft.ruled.map { "Approved by \(visit.name($0.by))" } ?? "Approved"
        guard visit.may(.campaignRuns) else {
            return Box(
                action: "", title: title, text: "These can publish it: \(try await route.people(.campaignRuns, visit)).")
        }
        return Box(
            action: visit.path(campaign.name.id, "publish"), title: title,
            text: "A change to the draft takes the approval away.",
            buttons: [("publish", "Publish revision \((campaign.published?.number ?? 0) + 1)")])
    }

    /// Returns the possible steps of a published campaign.
    func running(_ campaign: ManagedCampaign, _ visit: CampaignVisit) async throws -> Any {
        guard let published = campaign.published, !campaign.position.isEnded, campaign.state != .ended else {
            return false
        }
        let step = CampaignListPage.step(campaign)
        let text: String
        switch campaign.state {
        case .paused: text = "No customer gets it. Paused by \(visit.attribution(campaign.standingChange))."
        case .scheduled: text = published.text.campaign?.schedule.from.map { "It begins \(visit.planned($0))." } ?? ""
        default:
            text =
                published.text.campaign?.schedule.until.map { "It runs until \(visit.planned($0))." }
                ?? "It runs until it is ended."
        }
        return [
            "title": "Revision \(published.number) is \(CampaignBadge.word(campaign.state).lowercased())", "text": text,
            "mayRun": visit.may(.campaignRuns), "action": visit.path(campaign.name.id, "state"), "seen": "\(campaign.version)",
            "end": visit.path(campaign.name.id, "end"),
            "step": step.map { ["op": $0.rawValue, "label": $0 == .pause ? "Pause" : "Resume"] as [String: Any] } ?? false,
            "whoRuns": "These can pause or end it: \(try await route.people(.campaignRuns, visit)).",
        ] as [String: Any]
    }
}

import EligibilityRules
import OfferService

// These functions say what the reader can do next with the draft or the campaign or, if the reader may do nothing, who can.
extension CampaignReviewPage {
    /// Returns what the reader can do next with the draft; nil if there is no draft to decide about.
    func decision(
        _ campaign: ManagedCampaign,
        _ input: DecisionInput,
        _ approvers: [AccessKey],
        _ visit: CampaignVisit
    ) async throws -> DecisionView? {
        guard let draft = campaign.draft, !campaign.position.isEnded else { return nil }
        return switch draft.phase {
        case .none: DecisionView(on: campaign, action: "", title: "", text: "")
        case .writing, .rejected: try await unsent(campaign, draft, input, visit)
        case .inReview: inReview(campaign, draft, input, approvers, visit)
        case .approved: try await approved(campaign, draft, visit)
        }
    }

    private func unsent(
        _ campaign: ManagedCampaign,
        _ draft: ManagedCampaign.Draft,
        _ input: DecisionInput,
        _ visit: CampaignVisit
    ) async throws -> DecisionView {
        let rule = visit.path(campaign.name.id, "rule")
        let isRejected = draft.phase == .rejected
        let title = isRejected ? "Sent back\(draft.ruled.map { " by \(visit.name($0.by))" } ?? "")" : "Not sent to review yet"
        guard visit.may(.campaignDrafts) else {
            return DecisionView(
                on: campaign, action: rule, title: title,
                text: "These can change it and send it to review: \(try await route.people(.campaignDrafts, visit)).")
        }
        return DecisionView(
            on: campaign, action: visit.path(campaign.name.id, "submit"), title: title,
            text: "Another person reviews it before customers get it.", buttons: [("submit", "Send to review")],
            link: DecisionView.Link(href: rule, label: "Change the rule", isPrimary: isRejected),
            note: DecisionView.Note(
                label: "Note to the approver",
                hint: "What do you expect, and why? All who may see the campaign can read it.",
                text: input.note.nonEmpty ?? draft.saved.reason, error: input.noteError))
    }

    private func inReview(
        _ campaign: ManagedCampaign,
        _ draft: ManagedCampaign.Draft,
        _ input: DecisionInput,
        _ approvers: [AccessKey],
        _ visit: CampaignVisit
    ) -> DecisionView {
        let review = visit.path(campaign.name.id, "review")
        let authors = draft.authors.map(visit.name).joined(separator: ", ")
        if approvers.contains(where: { $0.id == visit.caller.id }) {
            let text = draft.text.campaign
            let starts = text?.schedule.from.flatMap { $0 > visit.now ? $0 : nil }
            let when: RichText? = starts.map {
                "Customers get it from \(visit.planned($0)). Until then nothing changes for them."
            }
            let replaced: RichText? = campaign.published.map { "Publishing replaces revision \($0.number). " }
            return DecisionView(
                on: campaign, action: review, title: "Your decision",
                text: "You are \(visit.caller.note). \(authors) wrote this draft, so you may approve it.",
                buttons: [("publish", "Approve and publish"), ("approve", "Approve, publish later"), ("back", "Send back")],
                note: DecisionView.Note(
                    label: "Note to \(authors)",
                    hint: "Needed if you send it back. All who may see the campaign can read it.", text: input.note,
                    error: input.noteError),
                hint: (replaced ?? "") + (when ?? "Customers get it at once."))
        }
        let others = CampaignRoute.words(approvers)
        let isAuthor = draft.authors.contains(visit.caller.id)
        let text =
            isAuthor
            ? "You wrote this draft, or a segment of it, so you cannot approve it. These can: \(others). To change something, take it back first."
            : "These can approve it: \(others)."
        guard visit.may(.campaignDrafts) else {
            return DecisionView(on: campaign, action: review, title: "Waiting for another person", text: text)
        }
        return DecisionView(
            on: campaign, action: visit.path(campaign.name.id, "rule"), title: "Waiting for another person", text: text,
            buttons: [("take-back", "Take back to draft")])
    }

    private func approved(_ campaign: ManagedCampaign, _ draft: ManagedCampaign.Draft, _ visit: CampaignVisit) async throws
        -> DecisionView
    {
        let title = draft.ruled.map { "Approved by \(visit.name($0.by))" } ?? "Approved"
        guard visit.may(.campaignRuns) else {
            return DecisionView(
                on: campaign, action: "", title: title,
                text: "These can publish it: \(try await route.people(.campaignRuns, visit)).")
        }
        return DecisionView(
            on: campaign, action: visit.path(campaign.name.id, "publish"), title: title,
            text: "A change to the draft takes the approval away.",
            buttons: [("publish", "Publish revision \((campaign.published?.number ?? 0) + 1)")])
    }

    /// Returns the steps that are possible with a published campaign; nil if it is not published, or has ended.
    func running(_ campaign: ManagedCampaign, _ visit: CampaignVisit) async throws -> RunningView? {
        guard let published = campaign.published, !campaign.position.isEnded, campaign.state != .ended else {
            return nil
        }
        let text: RichText
        switch campaign.state {
        case .paused: text = "No customer gets it. Paused by \(visit.attribution(campaign.standingChange))."
        case .scheduled: text = published.text.campaign?.schedule.from.map { "It begins \(visit.planned($0))." } ?? ""
        default:
            text =
                published.text.campaign?.schedule.until.map { "It runs until \(visit.planned($0))." }
                ?? "It runs until it is ended."
        }
        return RunningView(
            campaign, title: "Revision \(published.number) is \(CampaignBadge.word(campaign.state).lowercased())", text: text,
            whoRuns: "These can pause or end it: \(try await route.people(.campaignRuns, visit)).", visit)
    }
}

/// A published campaign, and the steps that are possible with it.
struct RunningView: TemplateView {
    /// The button that pauses or resumes the campaign.
    struct Step: TemplateView {
        let op: String
        let label: String
    }

    let title: String
    let text: RichText
    let mayRun: Bool
    let action: String
    let seen: String
    let step: Step?
    /// The path of the page that ends the campaign.
    let end: String
    /// A sentence that names the people who can pause or end the campaign.
    let whoRuns: String

    init(_ campaign: ManagedCampaign, title: String, text: RichText, whoRuns: String, _ visit: CampaignVisit) {
        self.title = title
        self.text = text
        mayRun = visit.may(.campaignRuns)
        action = visit.path(campaign.name.id, "state")
        seen = "\(campaign.version)"
        step = CampaignListPage.step(campaign).map { Step(op: $0.rawValue, label: $0 == .pause ? "Pause" : "Resume") }
        end = visit.path(campaign.name.id, "end")
        self.whoRuns = whoRuns
    }
}

import EligibilityRules
import OfferService
import WireText

/// The page on which a draft is reviewed. It shows the draft, what the draft changes, its checks, and the decision about it.
struct CampaignReviewView: PageView {
    static let template = "campaign-review"

    /// A fault that keeps the draft from being published.
    struct Fault: TemplateView {
        /// The address of the input in the editor; nil if the reader may not write campaigns.
        let href: String?
        let text: String
    }

    /// The findings about the draft, and the people who may approve it.
    struct Checks {
        let findings: [CampaignFinding]
        let approvers: [AccessKey]
    }

    /// What the reader can do: decide about the draft, and pause or end the published campaign.
    struct Actions {
        let decision: DecisionView?
        let running: RunningView?
    }

    let head: CampaignHead
    let lost: ReviewLostView?
    let hasErrors: Bool
    let errors: [Fault]
    let readBackNote: String
    let readBack: CampaignReadBack?
    let noReadBack: String
    let diff: ReviewDiffView
    let notes: CampaignNotesView
    let checklist: ChecklistView
    let reach: ReachView
    let decision: DecisionView?
    let running: RunningView?

    init(
        _ campaign: ManagedCampaign,
        _ input: DecisionInput,
        _ checks: Checks,
        _ notes: CampaignNotesView,
        diff: ReviewDiffView,
        reach: ReachPanel.Finding,
        _ actions: Actions,
        _ visit: CampaignVisit
    ) {
        let form = CampaignForm(campaign.text?.json ?? .object([]), in: visit.zone)
        let isDecided = campaign.draft == nil || campaign.draft?.phase == .approved
        head = CampaignHead(campaign, at: .review, visit, done: input.done)
        lost = ReviewLostView(campaign, input, visit)
        errors = Self.errors(input.errors, form, campaign, visit)
        hasErrors = !errors.isEmpty
        readBackNote = campaign.draft == nil ? "as published" : "read back from the saved draft"
        readBack = campaign.text?.campaign.map { CampaignReadBack(campaign: $0, visit: visit) }
        noReadBack = "The draft cannot be read back yet: it has faults. Open the rule to correct them."
        self.diff = diff
        self.notes = notes
        checklist = LaunchChecks(
            campaign: campaign.text?.campaign, findings: checks.findings, words: FindingWords(form: form, zone: visit.zone),
            visit: visit, approvers: isDecided ? "" : Self.words(checks.approvers, visit)
        ).view(title: "Checked by the service")
        self.reach = ReachView(
            finding: reach, form: form, rule: campaign.takesForecast(at: visit.now) ? campaign.text?.campaign : nil,
            app: visit.app, time: visit.time,
            action: visit.path(campaign.name.id, "review"), isClosed: true,
            campaign: campaign.name.id)
        decision = actions.decision
        running = actions.running
    }

    /// Returns in words the people who may approve.
    ///
    /// If the reader is one of them, the reader is named first.
    private static func words(_ approvers: [AccessKey], _ visit: CampaignVisit) -> String {
        let names = CampaignRoute.words(approvers.filter { $0.id != visit.caller.id })
        guard approvers.contains(where: { $0.id == visit.caller.id }) else { return names }
        return approvers.count == 1 ? "you" : "you, or \(names)"
    }

    private static func errors(
        _ findings: [CampaignFinding],
        _ form: CampaignForm,
        _ campaign: ManagedCampaign,
        _ visit: CampaignVisit
    ) -> [Fault] {
        let path = visit.path(campaign.name.id, "rule")
        return FormErrors(findings, in: form, visit.zone).once.map {
            Fault(href: visit.may(.campaignDrafts) ? "\(path)#\($0.id)" : nil, text: $0.text)
        }
    }
}

/// The notice that another user has changed the campaign first, or that a newer revision was published after the draft was begun.
struct ReviewLostView: TemplateView {
    /// The form that applies the draft's changes to the newer revision.
    struct Merge: TemplateView {
        let action: String
        let seen: String
        /// The address of the page that shows what the newer revision has changed.
        let compare: String
        let compareLabel: String
        let mergeLabel: String
    }

    let title: String
    let text: String
    let merge: Merge?

    /// Returns nil if neither is the case.
    init?(_ campaign: ManagedCampaign, _ input: DecisionInput, _ visit: CampaignVisit) {
        let latest = campaign.published?.number ?? 0
        guard let draft = campaign.draft, draft.basedOn < latest else {
            guard let lost = input.lost else { return nil }
            title = lost.title
            text = lost.text
            merge = nil
            return
        }
        title = "Revision \(latest) was published meanwhile"
        text =
            "The draft was made from revision \(draft.basedOn), so it cannot be published any more. Nothing is lost: the draft is kept."
        merge = visit.may(.campaignDrafts) ? Self.merge(campaign, from: draft.basedOn, to: latest, visit) : nil
    }

    private static func merge(_ campaign: ManagedCampaign, from old: Int, to latest: Int, _ visit: CampaignVisit) -> Merge {
        Merge(
            action: visit.path(campaign.name.id, "submit"), seen: "\(campaign.version)",
            compare: "\(visit.path(campaign.name.id, "history"))?from=\(old)&to=\(latest)",
            compareLabel: "See what revision \(latest) changed",
            mergeLabel: "Put the draft's changes on top of revision \(latest)")
    }
}

import EligibilityRules
import OfferService
import WireText

/// The editor: its form, the messages about it, and the panels beside it.
struct EditorView: PageView {
    static let template = "campaign-edit"

    /// Why the draft was sent back.
    struct SentBack: TemplateView {
        /// The reviewer and the time.
        let who: RichText
        let reason: String
    }

    let head: CampaignHead
    let conflict: EditorConflictView?
    let isMerged: Bool
    let errors: EditorErrorsView?
    let sentBack: SentBack?
    let closed: EditorClosedView?
    let isClosed: Bool
    let readBack: CampaignReadBack?
    let readBackNote: String
    /// What stands in place of a campaign that cannot be read back.
    let noReadBack: String

    /// The address that the form is sent to.
    let action: String
    /// The version of the campaign that the form was made from.
    let seen: String
    /// The text that the form was made from.
    let base: String
    /// The schedule that the form was made from.
    let schedule: String
    /// The paths of the locked fields.
    let locked: String

    let goal: EditorGoalView
    let audience: AudienceView
    let variants: EditorVariantsView
    let times: EditorTimesView
    let limits: EditorLimitsView
    let note: String
    /// Nil until the campaign is created.
    let notes: CampaignNotesView?
    let reach: ReachView
    let checklist: ChecklistView
    let mayWrite: Bool
    /// The address of the page that discards the draft.
    let discard: String?

    /// Creates the view of the editor.
    ///
    /// - Parameters:
    ///   - others: the other campaigns of the app, whose placements and groups are suggested.
    ///   - approvers: the people who may approve, in words; empty if the draft is approved.
    ///   - writers: the people who may write, in words.
    ///   - segments: the segments of the app.
    init(
        state: EditorState,
        visit: CampaignVisit,
        others: [ManagedCampaign],
        segments: [Segment],
        approvers: String,
        writers: String,
        notes: CampaignNotesView?
    ) {
        let (form, campaign) = (state.form, state.campaign)
        let saved = campaign?.text?.campaign
        action = state.action(visit)
        head =
            campaign.map { CampaignHead($0, at: .rule, visit, done: state.done) }
            ?? CampaignHead(new: "New campaign", sub: "For \(visit.app.bundleID). Nothing is saved yet.", visit)
        conflict = state.conflict.map { EditorConflictView($0, visit) }
        isMerged = state.isMerged
        errors = EditorErrorsView(state.errors, isNew: campaign == nil)
        sentBack = Self.sentBack(campaign?.draft, visit)
        closed = EditorClosedView(state, visit, writers: writers)
        isClosed = closed != nil
        readBack = saved.map { CampaignReadBack(campaign: $0, visit: visit) }
        readBackNote = Self.readBackNote(state)
        noReadBack =
            campaign == nil
            ? "Save the draft, and the rule is read back here in a sentence."
            : "The saved draft cannot be read back yet. Correct what is marked below, then save."
        seen = state.seen.map { "\($0)" } ?? ""
        base = String(decoding: state.base.bytes, as: UTF8.self)
        schedule = form.schedule.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
        locked = state.locks.paths.joined(separator: ",")
        goal = EditorGoalView(state, visit)
        audience = AudienceView(
            form: form.audience, copies: saved?.segments ?? [], catalogue: visit.app.catalogue, segments: segments,
            errors: state.errors, action: action,
            lock: state.locks["audience"])
        variants = EditorVariantsView(state, segments, visit)
        times = EditorTimesView(state, visit, others: others)
        limits = EditorLimitsView(state, others: others)
        note = state.note
        self.notes = notes
        reach = ReachView(state, visit, isClosed: isClosed)
        checklist = LaunchChecks(
            campaign: saved, findings: state.findings, words: FindingWords(form: form, zone: visit.zone), visit: visit,
            approvers: approvers
        ).view(title: "Before launch")
        mayWrite = visit.may(.campaignDrafts) && !isClosed
        discard = campaign.flatMap { $0.draft == nil ? nil : visit.path($0.name.id, "discard") }
    }

    private static func sentBack(_ draft: ManagedCampaign.Draft?, _ visit: CampaignVisit) -> SentBack? {
        guard let draft, draft.phase == .rejected, let ruled = draft.ruled else { return nil }
        return SentBack(who: visit.attribution(ruled), reason: ruled.reason)
    }

    private static func readBackNote(_ state: EditorState) -> String {
        guard state.campaign != nil else { return "" }
        return "read back from the saved draft" + (state.isUnsaved ? ", without what you have changed since" : "")
    }
}

import EligibilityRules
import OfferService
import WireText

/// The editor: its form, the messages about it, and the panels beside it.
struct EditorView: PageView {
    static let template = "campaign-edit"

    /// The notice that a reviewer has sent the draft back, and why.
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
    /// The sentence that is shown if the campaign cannot be read, in place of the campaign in words.
    let noReadBack: String

    /// `yes` if the form has input that is not saved, so that leaving the page asks.
    let unsaved: String
    /// The address to which the form is sent.
    let action: String
    /// The version of the campaign from which the form was made.
    let seen: String
    /// The text from which the form was made, as JSON.
    let base: String
    /// The schedule from which the form was made, as JSON.
    let schedule: String
    /// The paths of the locked fields, with commas between them.
    let locked: String

    let goal: EditorGoalView
    let audience: AudienceView
    let variants: EditorVariantsView
    let times: EditorTimesView
    let limits: EditorLimitsView
    let note: String
    /// The notes on the campaign; nil until it is created.
    let notes: CampaignNotesView?
    let reach: ReachView
    let checklist: ChecklistView
    let mayWrite: Bool
    /// The address of the page that discards the draft; nil if there is no draft.
    let discard: String?

    /// - Parameters:
    ///   - others: the other campaigns of the app, whose placements and exclusion groups are suggested.
    ///   - approvers: the people who may approve the draft, in words; empty if it is approved.
    ///   - writers: the people who may write campaigns, in words.
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
        unsaved = state.isUnsaved ? "yes" : "no"
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

/// The notice that lists the faults of the editor's form.
struct EditorErrorsView: TemplateView {
    let title: String
    /// The number of faults, in words.
    let count: String
    /// The id of the first input with a fault.
    let first: String
    let all: [ErrorView]

    /// Returns nil if there are no faults.
    init?(_ errors: FormErrors, isNew: Bool) {
        guard let first = errors.all.first else { return nil }
        all = errors.views
        self.first = first.id
        let things = ConsoleTime.count(all.count, "thing")
        title = isNew ? "\(things) to fix before this can be saved" : "\(things) to fix before you can send this to review"
        count = "\(things) to fix"
    }
}

/// The notice that another user has saved a change first.
///
/// It shows the other user's change beside the reader's own.
struct EditorConflictView: TemplateView {
    /// The name of the other user.
    let who: String
    let did: String
    let hasTheirs: Bool
    let theirs: [ChangeView]
    let hasYours: Bool
    let yours: [ChangeView]

    init(_ conflict: EditorState.Conflict, _ visit: CampaignVisit) {
        let words = ChangeWords(visit: visit)
        let last = conflict.now.lastChange
        who = visit.name(last.act.by)
        did = last.words
        theirs = words.rows(from: conflict.base, to: conflict.now.text)
        hasTheirs = !theirs.isEmpty
        yours = words.rows(from: conflict.base, to: conflict.mine)
        hasYours = !yours.isEmpty
    }
}

/// The editor's inputs for when and where customers get the campaign.
struct EditorTimesView: TemplateView {
    private static let units = [
        (id: "customer", label: "A customer of yours, by your own id"), (id: "appTransaction", label: "An Apple account"),
        (id: "originalTransaction", label: "A first purchase"),
    ]

    let moments: [MomentView]
    let placement: FieldView
    let unit: FieldView

    /// - Parameter others: the other campaigns of the app, whose placements are suggested.
    init(_ state: EditorState, _ visit: CampaignVisit, others: [ManagedCampaign]) {
        let (form, locks, errors) = (state.form, state.locks, state.errors)
        moments = [
            MomentView(
                id: FormField.from.id, label: FormField.from.label, fields: form.from, lock: locks["schedule.from"],
                empty: "Empty: when it is published.", errors: errors, visit: visit),
            MomentView(
                id: FormField.until.id, label: FormField.until.label, fields: form.until, lock: "",
                empty: "Empty: when it is ended.", errors: errors,
                visit: visit),
        ]
        placement = FieldView(
            .placement, form,
            hint: "As your app names the place. Empty: anywhere in the app. “retention” is Apple's question to those who cancel.",
            entry: .text(suggestions: Set(others.compactMap { $0.text?.campaign?.slot.placement } + ["retention"]).sorted()),
            lock: locks["placement"], errors)
        unit = FieldView(
            .unit, form, hint: "Each always gets the same variant.",
            entry: .choice(Self.units), lock: locks["unit"], errors)
    }
}

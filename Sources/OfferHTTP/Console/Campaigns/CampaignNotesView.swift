import EligibilityRules
import OfferService

/// The notes on a campaign, the latest first, for the template `campaign-notes`.
///
/// A note is the reason that a user has given for a step, or belongs to no step.
struct CampaignNotesView: TemplateView {
    /// How many of the latest notes are shown.
    static let shown = 200

    struct Note: TemplateView {
        /// `idle`, `good` or `warn`.
        let tone: String
        let who: RichText
        /// What the note belongs to, usually a step and a revision, such as `Sent back revision 3`.
        let about: String
        let text: String
    }

    let hasNotes: Bool
    let notes: [Note]
    /// The address to which a new note is sent; nil if the reader may not write one.
    let action: String?
    /// The id of the editor's form, if the page is the editor. A new note is then sent with that form, so that unsaved input is
    /// not lost. On other pages it is nil, and the note has a form of its own.
    let form: String?
    /// The name of the new note's input in the form.
    let field: String
    /// The path of the tab to which the user returns after adding a note.
    let place: String
    /// The address of the list of all activity.
    let all: String
    /// A note that is not saved yet; empty if there is none.
    let note: String
    let kept: NoticeView?

    /// - Parameters:
    ///   - activity: the latest entries of the activity that have a reason, the latest first.
    ///   - part: the tab that shows the notes.
    ///   - kept: a note that could not be saved, and why; nil if there is none.
    ///   - unsaved: the unsaved note in the editor's open form; nil if the page has no such form.
    init(
        _ campaign: ManagedCampaign,
        _ activity: [CampaignActivity],
        at part: CampaignHead.Part,
        kept: (text: String, why: NoticeView)?,
        unsaved: String?,
        _ visit: CampaignVisit
    ) {
        note = kept?.text ?? unsaved ?? ""
        self.kept = kept?.why
        notes = Self.said(activity).map { entry in
            Note(
                tone: entry.step == "reject" ? "warn" : entry.step == "approve" || entry.step == "publish" ? "good" : "idle",
                who: visit.attribution(entry.act), about: Self.about(entry, campaign), text: entry.act.reason)
        }
        hasNotes = !notes.isEmpty
        (form, field) = unsaved == nil ? (nil, "note") : ("rule", "newNote")
        action = visit.may(.campaignRuns) ? visit.path(campaign.name.id, unsaved == nil ? "notes" : "rule") : nil
        place = part.path
        all = visit.path(campaign.name.id, "history") + "#activity"
    }

    /// Returns the entries without repetitions.
    ///
    /// If several steps in succession have the same reason, it is shown only once. It is shown for the actor who wrote it first,
    /// with the last step for which this actor gave it.
    private static func said(_ activity: [CampaignActivity]) -> [CampaignActivity] {
        var said: [CampaignActivity] = []
        for entry in activity.reversed() {
            let isSame = said.last?.act.by == entry.act.by
            // The editor's form is filled with the last note, even if another author opens it. The same words are therefore a
            // repetition if they come from the editor, or if the same actor gave them for another step.
            let isRepeated = entry.step == "save" || entry.step == "submit" || isSame && entry.step != "note"
            if said.last?.act.reason == entry.act.reason, isRepeated {
                if isSame { said[said.count - 1] = entry }
            } else {
                said.append(entry)
            }
        }
        return said.reversed()
    }

    private static func about(_ entry: CampaignActivity, _ campaign: ManagedCampaign) -> String {
        let revision = ActivityRow.revision(entry, campaign)
        guard entry.step != "note" else { return revision.isEmpty ? "" : "On \(revision)." }
        let isSaid =
            revision.isEmpty || entry.words.contains("revision") || revision == "the draft" && entry.words.contains("draft")
        return "\(entry.words)\(isSaid ? "" : ", \(revision)").".firstUppercased
    }
}

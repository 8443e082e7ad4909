import EligibilityRules
import OfferService

/// The notes on a campaign, the latest first: reasons of steps, and notes of their own. For the template `campaign-notes`.
struct CampaignNotesView: TemplateView {
    /// The number of the latest reasons and notes that are shown.
    static let shown = 200

    /// A note.
    struct Note: TemplateView {
        /// `idle`, `good` or `warn`.
        let tone: String
        let who: RichText
        /// The step that it is the reason of, and the revision.
        let about: String
        let text: String
    }

    let hasNotes: Bool
    let notes: [Note]
    /// The address that a new note is sent to; nil if the reader may not write one.
    let action: String?
    /// The form that a new note is sent with: the editor's, so that its unsaved input stays; nil: one of its own.
    let form: String?
    /// The name of the new note in the form.
    let field: String
    /// The tab to return to.
    let place: String
    /// The address of the whole activity.
    let all: String
    /// A note that is not saved yet, and why.
    let note: String
    let kept: NoticeView?

    /// Creates the view of a campaign's notes.
    ///
    /// - Parameters:
    ///   - activity: the latest entries with a reason, the latest first.
    ///   - part: the tab that shows them.
    ///   - kept: a note that is not saved, and why.
    ///   - unsaved: the note in the open form of the editor; nil: there is none.
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

    /// Returns what was said. What the next step repeats is said once: by the first actor, with the actor's last step.
    private static func said(_ activity: [CampaignActivity]) -> [CampaignActivity] {
        var said: [CampaignActivity] = []
        for entry in activity.reversed() {
            let isSame = said.last?.act.by == entry.act.by
            // The editor has the last note in its form, for the next author as well; elsewhere the actor wrote the same words.
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

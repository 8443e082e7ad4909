import EligibilityRules
import OfferService
import WireText

/// The state of the editor: its form, and the messages about it.
struct EditorState {
    /// A conflict: another user has changed the campaign since the form was made.
    struct Conflict {
        let now: ManagedCampaign
        let base: CampaignText
        let mine: CampaignText
    }

    /// The campaign; nil if it is not created yet.
    var campaign: ManagedCampaign?
    var form: CampaignForm
    /// The text from which the form was made.
    ///
    /// If another user has changed the campaign meanwhile, a merge compares both versions with this text to find the changes.
    var base: JSONValue
    /// The version of the campaign from which the form was made; nil if the campaign is not created yet.
    var seen: Int64?
    /// The findings about the saved draft.
    var findings: [CampaignFinding] = []
    /// The faults to show beside the inputs.
    ///
    /// No faults are shown as long as the user only adds and removes inputs.
    var errors = FormErrors.none
    var locks = CampaignLocks.none
    var note = ""
    /// A note that is not added yet. It is not the reason of a step.
    var newNote = ""
    var conflict: Conflict?
    var isMerged = false
    /// The id of the input that was just added; empty if none was.
    var fresh = ""
    var done: NoticeView?
    /// The result of counting the customers in the audience.
    var reach = ReachPanel.Finding.nothing
    /// Whether the form has unsaved input.
    var isUnsaved = false

    /// Returns the address to which the form is sent.
    func action(_ visit: CampaignVisit) -> String {
        campaign.map { visit.path($0.name.id, "rule") } ?? "\(visit.path)/new"
    }
}

import EligibilityRules
import OfferService
import WireText

/// The state of the editor: a form, and the messages about it.
struct EditorState {
    /// Another user's change, which came first.
    struct Conflict {
        let now: ManagedCampaign
        let base: CampaignText
        let mine: CampaignText
    }

    /// The campaign; nil: it is not created yet.
    var campaign: ManagedCampaign?
    var form: CampaignForm
    /// The text that the form was made from. A merge compares both users' changes with it.
    var base: JSONValue
    /// The version of the campaign that the form was made from; nil: there is none.
    var seen: Int64?
    /// The findings about the saved draft.
    var findings: [CampaignFinding] = []
    /// The faults beside the inputs. A form that is still being built has none.
    var errors = FormErrors.none
    var locks = CampaignLocks.none
    var note = ""
    /// A note of its own that is not added yet.
    var newNote = ""
    var conflict: Conflict?
    var isMerged = false
    /// The id of the row that was just added.
    var fresh = ""
    var done: NoticeView?
    /// The number of customers in the audience.
    var reach = ReachPanel.Finding.nothing
    /// Whether the form has unsaved input.
    var isUnsaved = false

    /// Returns the address that the form is sent to.
    func action(_ visit: CampaignVisit) -> String {
        campaign.map { visit.path($0.name.id, "rule") } ?? "\(visit.path)/new"
    }
}

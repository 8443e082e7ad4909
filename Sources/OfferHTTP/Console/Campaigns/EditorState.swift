import EligibilityRules
import OfferService
import WireText

/// What the editor shows: a form, and what there is to say of it.
struct EditorState {
    /// That somebody else was faster.
    struct Conflict {
        let now: ManagedCampaign
        let base: CampaignText
        let mine: CampaignText
    }

    /// Nil: it is not made yet.
    var campaign: ManagedCampaign?
    var form: CampaignForm
    /// What the form was made from; what is merged with somebody else's is told from it.
    var base: JSONValue
    /// The version of the campaign that the form was made from; nil: there is none.
    var seen: Int64?
    /// Of what is saved.
    var findings: [CampaignFinding] = []
    /// Faults beside the inputs; of a form in the middle of being built there are none.
    var errors = FormErrors.none
    var locks = CampaignLocks.none
    var note = ""
    var conflict: Conflict?
    var isMerged = false
    /// The id of the row that was added a moment ago.
    var fresh = ""
    var done: (tone: String, text: String)?
    /// How many customers the audience has.
    var reach = ReachPanel.Finding.nothing
    /// What is typed but not saved.
    var isUnsaved = false
}

import EligibilityRules

/// A decision about a draft as submitted, and why it was not carried out.
struct DecisionInput {
    var note = ""
    /// The error beside the note.
    var noteError: String?
    /// The findings that keep the draft from being published.
    var errors: [CampaignFinding] = []
    /// The notice that another user's change came first.
    var lost: (title: String, text: String)?
    /// The notice of what was just done.
    var done: NoticeView?

    var isRefused: Bool { noteError != nil || !errors.isEmpty || lost != nil }
}

import EligibilityRules

/// What somebody wanted to decide about a draft, and why it was not done.
struct DecisionInput {
    var note = ""
    /// Beside the note.
    var noteError = ""
    /// What keeps the draft from being published.
    var errors: [CampaignFinding] = []
    /// That somebody else was faster.
    var lost: (title: String, text: String)?
    /// What was done a moment ago.
    var done: (tone: String, text: String)?

    var isRefused: Bool { !noteError.isEmpty || !errors.isEmpty || lost != nil }
}

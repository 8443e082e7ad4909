import OfferService

/// The words of the page on which a user confirms a step.
struct ConfirmWords {
    let title: String
    let sub: String
    let button: String
    let cancel: String
    let marks: [MarkView]
    var changes: [ChangeView] = []

    /// Returns the words for ending a campaign.
    static func end(_ name: String) -> ConfirmWords {
        ConfirmWords(
            title: "End “\(name)”?", sub: "No customer gets it any more. To stop for a while, pause it.",
            button: "End the campaign", cancel: "Keep it",
            marks: [
                MarkView(
                    tone: "bad", heading: "At once: no customer gets it any more",
                    text: "This cannot be undone. A new campaign can begin from its text."),
                MarkView(
                    tone: "good", heading: "What was signed stays valid",
                    text: "Offers that customers have already got can be redeemed for 24 hours."),
                MarkView(
                    tone: "good", heading: "Its results stay", text: "Nothing that was counted is lost."),
            ])
    }

    /// Returns the words for discarding a draft.
    static func discard(_ name: String, isPublished: Bool) -> ConfirmWords {
        ConfirmWords(
            title: "Discard the draft of “\(name)”?",
            sub: isPublished
                ? "What is published stays as it is."
                : "It was never published, so the campaign leaves the list. The audit log keeps what was done.",
            button: "Discard the draft", cancel: "Keep it",
            marks: [
                MarkView(
                    tone: "bad", heading: "What is written in the draft is gone", text: "This cannot be undone.")
            ])
    }

    /// Returns the words for publishing an earlier revision again.
    ///
    /// - Parameter next: the number of the new revision, which is a copy of the earlier one.
    static func rollBack(to number: Int, as next: Int, _ changes: [ChangeView]) -> ConfirmWords {
        ConfirmWords(
            title: "Roll back to revision \(number)?",
            sub:
                "A copy of it is published as revision \(next). By publishing it you approve it, so you must not be one of its authors.",
            button: "Publish revision \(number) again", cancel: "Keep the current one",
            marks: [
                MarkView(
                    tone: "warn", heading: "At once: customers get revision \(number) again",
                    text:
                        "Once the campaign has begun, both revisions must have the same test: variants, weights, audience, holdout and goal. The share that is let in must not fall."
                ),
                MarkView(
                    tone: "info", heading: "A draft stays", text: "Put it on top of revision \(next) before you publish it."),
            ],
            changes: changes)
    }
}

/// A step in the life of an existing campaign.
package enum CampaignStep: String, CaseIterable, Sendable {
    /// Save a draft in place of the previous one.
    case save
    /// Discard the draft; the published revision stays.
    case discard
    /// Ask another person to review the draft.
    case submit
    /// Approve the draft, as a person who did not write it.
    case approve
    /// Reject the draft, even if it was approved.
    case reject
    /// Publish the draft as the next revision.
    case publish
    /// Pause the campaign, so that it takes no customers until it is resumed.
    case pause
    /// Resume the campaign after a pause.
    case resume
    /// End the campaign for good.
    case end
    /// Publish a copy of an earlier revision.
    case rollBack = "rollback"
    /// Replace the list of testers.
    case setTesters = "testers"
    /// Write a note; the campaign stays as it is.
    case note
    /// Leave the ended campaign out of lists.
    case archive
    /// Show the archived campaign in lists again.
    case unarchive

    /// The step in words that follow the name of the actor, such as "saved a draft".
    ///
    /// - Parameter revision: the number of the published revision.
    func words(revision: Int) -> String {
        switch self {
        case .save: "saved a draft"
        case .discard: "discarded the draft"
        case .submit: "sent the draft to review"
        case .approve: "approved the draft"
        case .reject: "rejected the draft"
        case .publish, .rollBack: "published revision \(revision)"
        case .pause: "paused it"
        case .resume: "resumed it"
        case .end: "ended it"
        case .setTesters: "changed the testers"
        case .note: "wrote a note"
        case .archive: "archived it"
        case .unarchive: "took it out of the archive"
        }
    }

    var action: AuditAction { AuditAction(rawValue: "campaign.\(rawValue)") }
}

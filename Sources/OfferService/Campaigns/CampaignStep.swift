/// What can be done with a campaign that is there.
package enum CampaignStep: String, CaseIterable, Sendable {
    /// Keep a draft, in the place of the one before.
    case save
    /// Give the draft up; what is published stays.
    case discard
    /// Ask somebody else to look at the draft.
    case submit
    /// Find the draft right, as somebody who did not write it.
    case approve
    /// Find the draft wrong, also one that was approved.
    case reject
    /// Have the draft count, as the next revision.
    case publish
    /// Have the campaign count for nobody.
    case pause
    /// Have it count again.
    case resume
    /// Have it count for nobody, for ever.
    case end
    /// Publish a copy of an earlier revision.
    case rollBack = "rollback"
    /// Say who tries it out.
    case setTesters = "testers"

    /// What was done by it, behind who did it; with the number of the revision that is published now.
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
        }
    }

    var action: AuditAction { AuditAction(rawValue: "campaign.\(rawValue)") }
}

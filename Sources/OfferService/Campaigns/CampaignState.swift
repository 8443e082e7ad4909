import EligibilityRules
import OfferStore

/// The state of a campaign in one word.
package enum CampaignState: String, CaseIterable, Sendable {
    /// Nothing is published, and no draft is in review.
    case draft
    /// Nothing is published, and the draft is in review or approved.
    case inReview = "in-review"
    /// Published, but its time has not come.
    case scheduled
    case live
    case paused
    /// Ended by a step, or its time is over.
    case ended

    init(_ position: CampaignPosition, _ schedule: CampaignSchedule?, at now: Instant) {
        let isOver = schedule?.isOver(at: now) == true
        self =
            switch (position.standing, position.phase) {
            case (.unpublished, .inReview), (.unpublished, .approved): .inReview
            case (.unpublished, _): .draft
            case (.ended, _): .ended
            case (_, _) where isOver: .ended
            case (.paused, _): .paused
            case (.live, _): schedule?.isAhead(at: now) == true ? .scheduled : .live
            }
    }
}

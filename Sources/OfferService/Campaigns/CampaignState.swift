import EligibilityRules
import OfferStore

/// Where a campaign is, in one word: as people ask for it.
package enum CampaignState: String, CaseIterable, Sendable {
    /// Nothing is published, and nobody is asked.
    case draft
    /// Nothing is published, and somebody else is asked, or has said yes.
    case inReview = "in-review"
    /// Published, and its time has not come.
    case scheduled
    case live
    case paused
    /// Somebody ended it, or its time is over.
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

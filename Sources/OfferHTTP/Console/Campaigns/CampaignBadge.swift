import OfferService

/// Shows the state of a campaign as a badge.
enum CampaignBadge {
    static func view(_ state: CampaignState) -> BadgeView {
        let tone =
            switch state {
            case .draft: "idle ring"
            case .inReview, .scheduled: "info"
            case .live: "good"
            case .paused: "warn paused"
            case .ended: "idle"
            }
        return BadgeView(word: word(state), tone: tone)
    }

    /// Returns the word for a state.
    static func word(_ state: CampaignState) -> String {
        switch state {
        case .draft: "Draft"
        case .inReview: "In review"
        case .scheduled: "Scheduled"
        case .live: "Live"
        case .paused: "Paused"
        case .ended: "Ended"
        }
    }

    /// Returns the badges of a campaign: its state and, if it is published and has a draft, the state of that draft.
    static func all(_ campaign: ManagedCampaign) -> [BadgeView] {
        let state = view(campaign.state)
        if campaign.isArchived { return [state, BadgeView(word: "Archived", tone: "idle")] }
        guard let draft = campaign.draft else { return [state] }
        let isFirst = campaign.published == nil
        switch draft.phase {
        case .approved:
            return isFirst
                ? [BadgeView(word: "Approved", tone: "good")] : [state, BadgeView(word: "Draft approved", tone: "good")]
        case .rejected:
            return isFirst
                ? [BadgeView(word: "Sent back", tone: "warn")] : [state, BadgeView(word: "Draft sent back", tone: "warn")]
        case .inReview: return isFirst ? [state] : [state, BadgeView(word: "Draft in review", tone: "info")]
        case .none, .writing: return isFirst ? [state] : [state, BadgeView(word: "Draft", tone: "idle ring")]
        }
    }
}

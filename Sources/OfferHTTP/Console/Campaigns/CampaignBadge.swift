import OfferService

/// A campaign's state as a word, a shape and a colour.
struct CampaignBadge {
    let word: String
    let tone: String

    init(_ state: CampaignState) {
        word = Self.word(state)
        tone =
            switch state {
            case .draft: "idle ring"
            case .inReview, .scheduled: "info"
            case .live: "good"
            case .paused: "warn paused"
            case .ended: "idle"
            }
    }

    /// Returns the name of a state for people.
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

    /// The values for a template.
    var values: [String: Any] { ["word": word, "tone": tone] }

    /// Returns the badges of a campaign: its state, and a draft of what is published.
    static func all(_ campaign: ManagedCampaign) -> [[String: Any]] {
        let state = CampaignBadge(campaign.state).values
        guard let draft = campaign.draft else { return [state] }
        let isFirst = campaign.published == nil
        switch draft.phase {
        case .approved:
            return isFirst ? [["word": "Approved", "tone": "good"]] : [state, ["word": "Draft approved", "tone": "good"]]
        case .rejected:
            return isFirst ? [["word": "Sent back", "tone": "warn"]] : [state, ["word": "Draft sent back", "tone": "warn"]]
        case .inReview: return isFirst ? [state] : [state, ["word": "Draft in review", "tone": "info"]]
        case .none, .writing: return isFirst ? [state] : [state, ["word": "Draft", "tone": "idle ring"]]
        }
    }
}

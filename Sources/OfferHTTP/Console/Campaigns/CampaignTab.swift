import EligibilityRules
import OfferService

/// A tab above the list of campaigns: the part of the campaigns that it shows.
enum CampaignTab: Equatable {
    /// The campaigns that have not ended and are not archived.
    case current
    case state(CampaignState)
    case archived

    /// Every tab, in order.
    static let all = [current] + CampaignState.allCases.map(state) + [archived]

    /// - Parameter name: the value in the query; nil and any unknown name stand for `current`.
    init(_ name: String?) { self = Self.all.first { $0.name == name } ?? .current }

    /// The value in the query; empty for `current`.
    var name: String {
        switch self {
        case .current: ""
        case .state(let state): state.rawValue
        case .archived: "archived"
        }
    }

    var label: String {
        switch self {
        case .current: "Current"
        case .state(let state): CampaignBadge.word(state)
        case .archived: "Archived"
        }
    }

    /// Whether the tab shows a campaign, in its state at an instant.
    func shows(_ campaign: CampaignOutline, at now: Instant) -> Bool {
        switch self {
        case .current: !campaign.isArchived && campaign.state(at: now) != .ended
        case .state(let state): !campaign.isArchived && campaign.state(at: now) == state
        case .archived: campaign.isArchived
        }
    }
}

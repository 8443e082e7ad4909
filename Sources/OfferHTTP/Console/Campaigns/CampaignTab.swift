import OfferService

/// The part of the list of campaigns that is shown, as the query names it.
enum CampaignTab: Equatable {
    /// All that have not ended.
    case current
    case state(CampaignState)
    case archived

    /// Every tab, in order.
    static let all = [current] + CampaignState.allCases.map(state) + [archived]

    /// - Parameter name: nil or an unknown name stands for `current`.
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

    /// Whether the tab shows a campaign.
    func shows(_ campaign: ManagedCampaign) -> Bool {
        switch self {
        case .current: !campaign.isArchived && campaign.state != .ended
        case .state(let state): !campaign.isArchived && campaign.state == state
        case .archived: campaign.isArchived
        }
    }
}

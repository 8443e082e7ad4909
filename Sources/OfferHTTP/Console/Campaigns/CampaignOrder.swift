import EligibilityRules
import OfferService

/// An order of the list of campaigns.
enum CampaignOrder: String, CaseIterable {
    case priority, name, changed, exposed, health, end

    var label: String {
        switch self {
        case .priority: "Priority"
        case .name: "Name"
        case .changed: "Last change"
        case .exposed: "Exposed"
        case .health: "Health"
        case .end: "End"
        }
    }

    /// What comes first in this order.
    var hint: String {
        switch self {
        case .priority: "The highest decides first."
        case .name: ""
        case .changed: "The latest change comes first."
        case .exposed: "The campaign with the most exposed customers comes first."
        case .health: "What needs attention comes first, and then results."
        case .end: "The next end comes first. Campaigns without an end follow, and then those that have ended."
        }
    }

    /// Returns campaigns in this order. Equal ones are in the order of their ids.
    ///
    /// - Parameter figures: the figures of the campaigns, by the campaigns' ids.
    func sorted(_ campaigns: [CampaignOutline], _ figures: [String: CampaignFigures], at now: Instant) -> [CampaignOutline] {
        // The complement of a number sorts in the opposite order, and unlike the negative it exists for every number.
        switch self {
        case .priority: sorted(campaigns) { ~$0.priority }
        case .name: sorted(campaigns) { $0.title.lowercased() }
        case .changed: sorted(campaigns) { ~$0.lastChange.milliseconds }
        case .exposed: sorted(campaigns) { ~(figures[$0.id]?.exposed ?? -1) }
        case .health: sorted(campaigns) { figures[$0.id].map { CampaignHealth.Kind($0).rank } ?? .max }
        case .end: sorted(campaigns) { Self.place(of: $0, at: now) }
        }
    }

    private func sorted(_ campaigns: [CampaignOutline], by key: (CampaignOutline) -> some Comparable) -> [CampaignOutline] {
        campaigns.map { (key($0), $0) }.sorted { ($0.0, $0.1.id) < ($1.0, $1.1.id) }.map(\.1)
    }

    /// Returns a number that is smaller the sooner a campaign ends, and larger the longer ago it has ended.
    private static func place(of campaign: CampaignOutline, at now: Instant) -> Int64 {
        guard let end = campaign.end(at: now)?.milliseconds else { return .max / 2 }
        return campaign.state(at: now) == .ended ? .max - max(0, end) : end
    }
}

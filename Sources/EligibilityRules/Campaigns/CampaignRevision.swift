/// A campaign as it was published: never changed again. A class: every decision passes it around.
public final class CampaignRevision: Hashable, Sendable {
    /// 1 for the first.
    public let number: Int
    /// The campaign.
    public let campaign: Campaign

    /// Takes the values as they are.
    public init(_ campaign: Campaign, number: Int) {
        self.campaign = campaign
        self.number = number
    }

    /// Equal when number and campaign are.
    public static func == (left: CampaignRevision, right: CampaignRevision) -> Bool {
        left === right || left.number == right.number && left.campaign == right.campaign
    }

    /// Hashes number and campaign.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(number)
        hasher.combine(campaign)
    }
}

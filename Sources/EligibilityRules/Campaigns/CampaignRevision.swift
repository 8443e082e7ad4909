/// A campaign as it was published. It never changes. A class, because every decision passes it around.
public final class CampaignRevision: Hashable, Sendable {
    /// The number of the revision; the first is 1.
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

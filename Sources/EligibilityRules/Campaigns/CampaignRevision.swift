/// A campaign as it was published, which never changes.
///
/// It is a class because every decision passes it on, and passing on an object costs only one reference count.
public final class CampaignRevision: Hashable, Sendable {
    /// The number of the revision; the first is 1.
    public let number: Int
    /// The campaign.
    public let campaign: Campaign

    /// Stores the given values without checking them.
    public init(_ campaign: Campaign, number: Int) {
        self.campaign = campaign
        self.number = number
    }

    /// Compares number and campaign.
    public static func == (left: CampaignRevision, right: CampaignRevision) -> Bool {
        left === right || left.number == right.number && left.campaign == right.campaign
    }

    /// Hashes number and campaign.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(number)
        hasher.combine(campaign)
    }
}

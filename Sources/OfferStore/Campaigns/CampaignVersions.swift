/// How often a campaign has changed. The parts have the version of the campaign in which they last changed.
public struct CampaignVersions: Equatable, Sendable {
    /// Number of versions of the whole campaign, including the first: 1 for a new one.
    public var campaign: Int64
    /// The draft, its review or the published revision.
    public var draft: Int64
    /// The standing, or whether it is archived.
    public var standing: Int64
    /// The testers.
    public var testers: Int64

    /// Takes the values as they are.
    public init(campaign: Int64, draft: Int64, standing: Int64, testers: Int64) {
        self.campaign = campaign
        self.draft = draft
        self.standing = standing
        self.testers = testers
    }

    /// Those of a new campaign.
    public static let first = CampaignVersions(campaign: 1, draft: 1, standing: 1, testers: 1)
}

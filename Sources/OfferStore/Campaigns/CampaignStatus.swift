/// Whether a campaign gives offers, and is listed.
public struct CampaignStatus: Equatable, Sendable {
    /// Whether the latest revision is in effect.
    public var standing: CampaignStanding
    /// The act that last changed the standing.
    public var change: CampaignAct
    /// Whether lists leave it out.
    public var isArchived: Bool

    /// Takes the values as they are.
    public init(_ standing: CampaignStanding, by change: CampaignAct, isArchived: Bool = false) {
        self.standing = standing
        self.change = change
        self.isArchived = isArchived
    }
}

public import EligibilityRules

/// The current state of a campaign.
public struct CampaignRecord: Equatable, Sendable {
    /// Unique in the app, and never reused.
    public let id: String
    /// The app's bundle id.
    public let bundleID: String
    /// Number of versions, including the first: 1 for a new campaign.
    public let version: Int64
    /// The version in which the draft, its review or the published revision last changed.
    public let draftVersion: Int64
    /// The version in which the standing last changed, or whether it is archived.
    public let standingVersion: Int64
    /// The version in which the testers last changed.
    public let testersVersion: Int64
    /// The creation of the campaign.
    public let created: CampaignAct
    /// The next revision; nil if nothing has changed since the last one.
    public let draft: CampaignDraft?
    /// The latest revision; nil if nothing was published.
    public let published: CampaignPublication?
    /// Whether the latest revision is in effect.
    public let standing: CampaignStanding
    /// The act that last changed the standing.
    public let standingChange: CampaignAct
    /// Whether lists leave it out.
    public let isArchived: Bool
    /// The campaign's testers. They are not part of a revision.
    public let testers: [CampaignTester]
    /// The step of the last change, which the store does not parse. A note is no change.
    public let step: String
    /// When the last change was made, and by which actor.
    public let changed: CampaignAct

    /// Takes the values as they are.
    public init(
        id: String,
        bundleID: String,
        version: Int64,
        draftVersion: Int64,
        standingVersion: Int64,
        testersVersion: Int64,
        created: CampaignAct,
        draft: CampaignDraft?,
        published: CampaignPublication?,
        standing: CampaignStanding,
        standingChange: CampaignAct,
        isArchived: Bool = false,
        testers: [CampaignTester],
        step: String,
        changed: CampaignAct
    ) {
        self.id = id
        self.bundleID = bundleID
        self.version = version
        self.draftVersion = draftVersion
        self.standingVersion = standingVersion
        self.testersVersion = testersVersion
        self.isArchived = isArchived
        self.testers = testers
        self.created = created
        self.draft = draft
        self.published = published
        self.standing = standing
        self.standingChange = standingChange
        self.step = step
        self.changed = changed
    }

    /// The number of the latest revision; 0 if nothing was published.
    public var latest: Int { published?.number ?? 0 }
}

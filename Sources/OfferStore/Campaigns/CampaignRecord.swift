public import EligibilityRules

/// A campaign as it is now.
public struct CampaignRecord: Equatable, Sendable {
    /// Unique in the app, and never given again.
    public let id: String
    /// The app.
    public let bundleID: String
    /// How often it was changed, its making included: 1 for a new one.
    public let version: Int64
    /// In which version the draft, the review of it or the published revision changed last.
    public let draftVersion: Int64
    /// In which version the standing changed last.
    public let standingVersion: Int64
    /// In which version the testers changed last.
    public let testersVersion: Int64
    /// Who made it.
    public let created: CampaignAct
    /// What is to be published next; nil: nobody has changed anything since the last revision.
    public let draft: CampaignDraft?
    /// The latest revision; nil: nothing was published.
    public let published: CampaignPublication?
    /// Whether that counts.
    public let standing: CampaignStanding
    /// Who brought it there last.
    public let stood: CampaignAct
    /// Who tries it out; no part of any revision.
    public let testers: [CampaignTester]
    /// What made this version of it: a step, which the store does not read.
    public let step: String
    /// When that was, and by whom.
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
        stood: CampaignAct,
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
        self.testers = testers
        self.created = created
        self.draft = draft
        self.published = published
        self.standing = standing
        self.stood = stood
        self.step = step
        self.changed = changed
    }

    /// The number of the latest revision; 0: nothing was published.
    public var latest: Int { published?.number ?? 0 }
}

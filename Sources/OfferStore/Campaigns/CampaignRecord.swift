public import EligibilityRules

/// The current state of a campaign.
public struct CampaignRecord: Equatable, Sendable {
    /// Unique in the app, and never reused.
    public let id: String
    /// The app's bundle id.
    public let bundleID: String
    /// How often it has changed.
    public var versions: CampaignVersions
    /// The next revision; nil if nothing has changed since the last one.
    public var draft: CampaignDraft?
    /// The latest revision; nil if nothing was published.
    public var published: CampaignPublication?
    /// Whether the latest revision is in effect.
    public var status: CampaignStatus
    /// The campaign's testers. They are not part of a revision.
    public var testers: [CampaignTester]
    /// The creation and the last change.
    public var acts: CampaignActs

    /// Takes the values as they are.
    public init(
        id: String,
        bundleID: String,
        versions: CampaignVersions = .first,
        draft: CampaignDraft?,
        published: CampaignPublication?,
        status: CampaignStatus,
        testers: [CampaignTester],
        acts: CampaignActs
    ) {
        self.id = id
        self.bundleID = bundleID
        self.versions = versions
        self.draft = draft
        self.published = published
        self.status = status
        self.testers = testers
        self.acts = acts
    }

    /// Number of versions, including the first.
    public var version: Int64 { versions.campaign }

    /// The number of the latest revision; 0 if nothing was published.
    public var latest: Int { published?.number ?? 0 }
}

public import EligibilityRules

/// The current state of a campaign.
public struct CampaignRecord: Equatable, Sendable {
    /// Unique in the app, and never reused.
    public let id: String
    /// The app's bundle id.
    public let bundleID: String
    /// How often the campaign and its parts have changed.
    public var versions: CampaignVersions
    /// The next revision; nil if nothing has changed since the last one.
    public var draft: CampaignDraft?
    /// The latest revision; nil if nothing was published.
    public var published: CampaignPublication?
    /// Whether the latest revision is in effect, and whether lists show the campaign.
    public var status: CampaignStatus
    /// The campaign's testers. They are not part of a revision.
    public var testers: [CampaignTester]
    /// The creation and the last change.
    public var acts: CampaignActs

    /// Stores the given values without checking them.
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

/// The creation and the last change of a campaign.
public struct CampaignActs: Equatable, Sendable {
    /// The creation.
    public var created: CampaignAct
    /// The kind of the last change, such as `publish`, which the store does not parse.
    ///
    /// A note does not count as a change.
    public var step: String
    /// When the last change was made, and by which actor.
    public var changed: CampaignAct

    /// Stores the given values without checking them.
    public init(created: CampaignAct, step: String, changed: CampaignAct) {
        self.created = created
        self.step = step
        self.changed = changed
    }
}

/// Whether a campaign gives offers, and is listed.
public struct CampaignStatus: Equatable, Sendable {
    /// Whether the latest revision is in effect.
    public var standing: CampaignStanding
    /// The act that last changed the standing.
    public var change: CampaignAct
    /// Whether lists leave it out.
    public var isArchived: Bool

    /// Stores the given values without checking them.
    public init(_ standing: CampaignStanding, by change: CampaignAct, isArchived: Bool = false) {
        self.standing = standing
        self.change = change
        self.isArchived = isArchived
    }
}

/// The version of a campaign and, for each part, the version of the campaign in which the part last changed.
public struct CampaignVersions: Equatable, Sendable {
    /// Number of versions of the whole campaign, including the first: 1 for a new one.
    public var campaign: Int64
    /// The version in which the draft, its review or the published revision last changed.
    public var draft: Int64
    /// The version in which the standing last changed, or the campaign was archived or listed again.
    public var standing: Int64
    /// The version in which the testers last changed.
    public var testers: Int64

    /// Stores the given values without checking them.
    public init(campaign: Int64, draft: Int64, standing: Int64, testers: Int64) {
        self.campaign = campaign
        self.draft = draft
        self.standing = standing
        self.testers = testers
    }

    /// The versions of a new campaign.
    public static let first = CampaignVersions(campaign: 1, draft: 1, standing: 1, testers: 1)
}

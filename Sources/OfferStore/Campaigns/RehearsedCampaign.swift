public import EligibilityRules

/// A campaign that somebody tries out: what is to be published of it, what is, and the testers.
public struct RehearsedCampaign: Equatable, Sendable {
    /// Unique in the app.
    public let id: String
    /// The app.
    public let bundleID: String
    /// What the draft says; nil: there is none.
    public let draft: [UInt8]?
    /// The number of the latest revision; 0: nothing was published.
    public let number: Int
    /// What that says; nil: nothing was published.
    public let published: [UInt8]?
    /// At least one.
    public let testers: [CampaignTester]

    /// Takes the values as they are.
    public init(
        id: String,
        bundleID: String,
        draft: [UInt8]?,
        number: Int,
        published: [UInt8]?,
        testers: [CampaignTester]
    ) {
        self.id = id
        self.bundleID = bundleID
        self.draft = draft
        self.number = number
        self.published = published
        self.testers = testers
    }
}

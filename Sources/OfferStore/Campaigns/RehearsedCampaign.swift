public import EligibilityRules

/// A campaign with testers: its draft, its latest revision and the testers.
public struct RehearsedCampaign: Equatable, Sendable {
    /// Unique in the app.
    public let id: String
    /// The app's bundle id.
    public let bundleID: String
    /// The content of the draft; nil if there is none.
    public let draft: [UInt8]?
    /// The number of the latest revision; 0 if nothing was published.
    public let number: Int
    /// The content of the latest revision; nil if nothing was published.
    public let published: [UInt8]?
    /// The testers, at least one.
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

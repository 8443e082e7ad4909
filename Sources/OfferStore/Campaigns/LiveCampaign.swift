/// The published revision of a campaign that has not ended.
public struct LiveCampaign: Equatable, Sendable {
    /// Unique in the app.
    public let id: String
    /// The app's bundle id.
    public let bundleID: String
    /// The number of the latest revision.
    public let number: Int
    /// The content of the latest revision.
    public let document: [UInt8]
    /// Live or paused.
    public let standing: CampaignStanding

    /// Takes the values as they are.
    public init(id: String, bundleID: String, number: Int, document: [UInt8], standing: CampaignStanding) {
        self.id = id
        self.bundleID = bundleID
        self.number = number
        self.document = document
        self.standing = standing
    }
}

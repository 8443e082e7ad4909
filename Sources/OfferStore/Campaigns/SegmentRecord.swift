/// A stored segment of an app: a named condition that campaigns copy.
public struct SegmentRecord: Equatable, Sendable {
    /// Unique in the app.
    public let id: String
    /// The app's bundle id.
    public let bundleID: String
    /// Number of versions, including the first: 1 for a new segment.
    public let version: Int64
    /// The segment's content: JSON, which the store does not parse.
    public let document: [UInt8]
    /// The act that made this version.
    public let changed: CampaignAct

    /// Takes the values as they are.
    public init(id: String, bundleID: String, version: Int64, document: [UInt8], changed: CampaignAct) {
        self.id = id
        self.bundleID = bundleID
        self.version = version
        self.document = document
        self.changed = changed
    }
}

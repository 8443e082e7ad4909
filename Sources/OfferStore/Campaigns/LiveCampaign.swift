package import EligibilityRules

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

    /// Stores the given values without checking them.
    public init(id: String, bundleID: String, number: Int, document: [UInt8], standing: CampaignStanding) {
        self.id = id
        self.bundleID = bundleID
        self.number = number
        self.document = document
        self.standing = standing
    }
}

/// Whether the published revision of a campaign is in effect. The raw values are stored.
public enum CampaignStanding: String, CaseIterable, Sendable {
    /// Nothing was ever published.
    case unpublished
    /// The revision is in effect, within its schedule.
    case live
    /// The revision is not in effect until it is resumed.
    case paused
    /// The campaign has ended for good.
    case ended
}

extension CampaignStanding {
    /// Parses a stored value. Throws `damaged` if it is unknown.
    package init(stored text: String) throws(StoreError) {
        guard let standing = CampaignStanding(rawValue: text) else {
            throw StoreError(.damaged, "a campaign has no known standing")
        }
        self = standing
    }
}

extension CampaignTester {
    /// Parses stored values. Throws `damaged` if they are unknown.
    ///
    /// - Parameter fields: kind, id, variant and note.
    package init(stored fields: [String]) throws(StoreError) {
        guard fields.count == 4, let kind = BucketingUnit(rawValue: fields[0]) else {
            throw StoreError(.damaged, "a tester of a campaign goes by no known kind of id")
        }
        self.init(kind: kind, id: fields[1], variant: fields[2], note: fields[3])
    }
}

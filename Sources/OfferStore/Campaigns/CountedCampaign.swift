public import EligibilityRules

/// The figures of a campaign as last counted, for lists of many campaigns.
public struct CountedCampaign: Equatable, Sendable {
    /// The campaign's id.
    public let id: String
    /// The app's bundle id.
    public let bundleID: String
    /// When the count began. A later count replaces an earlier one.
    public let countedAt: Instant
    /// The figures as JSON, which the store does not parse.
    public let figures: [UInt8]

    /// Takes the values as they are.
    public init(id: String, bundleID: String, countedAt: Instant, figures: [UInt8]) {
        self.id = id
        self.bundleID = bundleID
        self.countedAt = countedAt
        self.figures = figures
    }
}

public import EligibilityRules

/// That somebody did something about a campaign.
public struct CampaignAct: Equatable, Sendable {
    /// When.
    public let at: Instant
    /// Who: an access key's id, or `command-line`.
    public let by: String
    /// Why, in their words; may be empty.
    public let reason: String

    /// Takes the values as they are.
    public init(at: Instant, by: String, reason: String = "") {
        self.at = at
        self.by = by
        self.reason = reason
    }
}

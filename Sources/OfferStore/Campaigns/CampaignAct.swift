public import EligibilityRules

/// An act of an actor on a campaign.
public struct CampaignAct: Equatable, Sendable {
    /// When the act took place.
    public let at: Instant
    /// The actor: an access key's id, or `command-line`.
    public let by: String
    /// The reason, in the actor's words; may be empty.
    public let reason: String

    /// Takes the values as they are.
    public init(at: Instant, by: String, reason: String = "") {
        self.at = at
        self.by = by
        self.reason = reason
    }
}

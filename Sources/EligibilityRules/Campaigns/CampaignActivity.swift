/// An entry in the log of a campaign: a step that was taken, or a note.
///
/// Entries never change.
public struct CampaignActivity: Equatable, Sendable {
    /// The name of the step that creates a campaign.
    public static let created = "create"

    /// The number of the entry, which the store assigns: from 1 in each campaign, without gaps.
    public let number: Int64
    /// The name of the step, which the store keeps without interpreting it.
    public let step: String
    /// When the step was taken, which actor took it, and the reason or the note.
    public let act: CampaignAct
    /// The number of the revision that the entry concerns; 0 if it concerns none.
    ///
    /// An entry about a draft has the number that the revision would have if the draft were published.
    public let revision: Int

    /// Stores the given values without checking them.
    public init(number: Int64 = 0, step: String, act: CampaignAct, revision: Int) {
        self.number = number
        self.step = step
        self.act = act
        self.revision = revision
    }
}

/// Who did something to a campaign, when, and why.
public struct CampaignAct: Equatable, Sendable {
    /// When the act took place.
    public let at: Instant
    /// The actor: an access key's id, or `command-line`.
    public let by: String
    /// The reason, in the actor's words; may be empty.
    public let reason: String

    /// Stores the given values without checking them.
    public init(at: Instant, by: String, reason: String = "") {
        self.at = at
        self.by = by
        self.reason = reason
    }
}

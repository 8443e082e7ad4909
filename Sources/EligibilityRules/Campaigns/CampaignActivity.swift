/// An entry of a campaign's activity: a step that was taken, or a note. Entries never change.
public struct CampaignActivity: Equatable, Sendable {
    /// The step of a campaign's creation.
    public static let created = "create"

    /// From 1 in each campaign, without gaps. The store assigns it.
    public let number: Int64
    /// The step, which the store does not parse.
    public let step: String
    /// When the step was taken, by which actor, and the reason or the note.
    public let act: CampaignAct
    /// The number of the revision that it concerns; of a draft, the number that the draft would be published as. 0: none.
    public let revision: Int

    /// Takes the values as they are.
    public init(number: Int64 = 0, step: String, act: CampaignAct, revision: Int) {
        self.number = number
        self.step = step
        self.act = act
        self.revision = revision
    }
}

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

public import EligibilityRules

/// A published revision of a campaign, which never changes.
public struct CampaignPublication: Equatable, Sendable {
    /// The number, from 1.
    public let number: Int
    /// The campaign's content: JSON, which the store does not parse.
    public let document: [UInt8]
    /// The authors in the order of their first contribution: access keys' ids, or `command-line`.
    public let authors: [String]
    /// The approval by an actor who is not an author; for a copy, by the actor who rolled back.
    public let approved: CampaignAct
    /// The publication, with its note.
    public let published: CampaignAct
    /// The number of the earlier revision that this one copies; nil for none.
    public let copyOf: Int?

    /// Stores the given values without checking them.
    public init(
        number: Int,
        document: [UInt8],
        authors: [String],
        approved: CampaignAct,
        published: CampaignAct,
        copyOf: Int? = nil
    ) {
        self.number = number
        self.document = document
        self.authors = authors
        self.approved = approved
        self.published = published
        self.copyOf = copyOf
    }
}

/// A published revision of a campaign: never changed again.
public struct CampaignPublication: Equatable, Sendable {
    /// 1 for the first.
    public let number: Int
    /// What the campaign says: JSON, which the store does not read.
    public let document: [UInt8]
    /// Who wrote it, the first first: access keys' ids, or `command-line`.
    public let authors: [String]
    /// Who else found it right; for a copy, of what it is a copy of.
    public let approved: CampaignAct
    /// Who had it published, with the note that goes with it.
    public let published: CampaignAct
    /// The number of the earlier revision that it is a copy of; nil as a rule.
    public let copyOf: Int?

    /// Takes the values as they are.
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

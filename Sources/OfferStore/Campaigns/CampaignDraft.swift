/// What is to be published of a campaign next, as far as somebody has come with it.
public struct CampaignDraft: Equatable, Sendable {
    /// What the campaign says: JSON, which the store does not read.
    public let document: [UInt8]
    /// The number of the published revision that it was edited from; 0: nothing was published then.
    public let basedOn: Int
    /// Who has saved it since it was begun, the first first, nobody twice: access keys' ids, or `command-line`.
    public let authors: [String]
    /// When it was saved last, and by whom.
    public let saved: CampaignAct
    /// Of the document as it is; nil: nobody was asked.
    public let review: CampaignReview?

    /// Takes the values as they are.
    public init(document: [UInt8], basedOn: Int, authors: [String], saved: CampaignAct, review: CampaignReview? = nil) {
        self.document = document
        self.basedOn = basedOn
        self.authors = authors
        self.saved = saved
        self.review = review
    }
}

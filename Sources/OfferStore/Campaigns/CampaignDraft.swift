public import EligibilityRules

/// The next revision of a campaign, while it is edited.
public struct CampaignDraft: Equatable, Sendable {
    /// The campaign's content: JSON, which the store does not parse.
    public let document: [UInt8]
    /// The number of the published revision that the draft was edited from; 0 for none.
    public let basedOn: Int
    /// The actors who have saved the draft or written a segment that it copies, each once: access keys' ids, or `command-line`.
    public let authors: [String]
    /// When the draft was last saved, and by which actor.
    public let saved: CampaignAct
    /// The review of the current document; nil if none was requested.
    public let review: CampaignReview?

    /// Stores the given values without checking them.
    public init(document: [UInt8], basedOn: Int, authors: [String], saved: CampaignAct, review: CampaignReview? = nil) {
        self.document = document
        self.basedOn = basedOn
        self.authors = authors
        self.saved = saved
        self.review = review
    }

    /// How far the draft is, as the audit log calls it: `writing`, `in-review`, `approved` or `rejected`.
    package var phase: String {
        guard let review else { return "writing" }
        guard let ruling = review.ruling else { return "in-review" }
        return ruling.isApproval ? "approved" : "rejected"
    }
}

/// The review of a draft by another actor.
public struct CampaignReview: Equatable, Sendable {
    /// The reviewer's decision.
    public struct Ruling: Equatable, Sendable {
        /// Whether the draft may be published.
        public let isApproval: Bool
        /// When the decision was made, by which reviewer and for which reason.
        public let act: CampaignAct

        /// Stores the given values without checking them.
        public init(isApproval: Bool, act: CampaignAct) {
            self.isApproval = isApproval
            self.act = act
        }
    }

    /// The request for the review.
    public let submitted: CampaignAct
    /// The decision; nil while there is none.
    public let ruling: Ruling?

    /// Stores the given values without checking them.
    public init(submitted: CampaignAct, ruling: Ruling? = nil) {
        self.submitted = submitted
        self.ruling = ruling
    }
}

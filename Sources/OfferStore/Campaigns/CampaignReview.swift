/// The review of a draft by another actor.
public struct CampaignReview: Equatable, Sendable {
    /// The reviewer's decision.
    public struct Ruling: Equatable, Sendable {
        /// Whether the draft may be published.
        public let isApproval: Bool
        /// The reviewer, with the reason.
        public let act: CampaignAct

        /// Takes the values as they are.
        public init(isApproval: Bool, act: CampaignAct) {
            self.isApproval = isApproval
            self.act = act
        }
    }

    /// The request for the review.
    public let submitted: CampaignAct
    /// The decision; nil while there is none.
    public let ruling: Ruling?

    /// Takes the values as they are.
    public init(submitted: CampaignAct, ruling: Ruling? = nil) {
        self.submitted = submitted
        self.ruling = ruling
    }
}

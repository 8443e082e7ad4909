/// That a draft was given to somebody else to look at, and what they said.
public struct CampaignReview: Equatable, Sendable {
    /// What somebody said to it.
    public struct Ruling: Equatable, Sendable {
        /// Whether it may be published.
        public let isApproval: Bool
        /// Who said so.
        public let act: CampaignAct

        /// Takes the values as they are.
        public init(isApproval: Bool, act: CampaignAct) {
            self.isApproval = isApproval
            self.act = act
        }
    }

    /// Who gave it to be looked at.
    public let submitted: CampaignAct
    /// What was said; nil: nothing yet.
    public let ruling: Ruling?

    /// Takes the values as they are.
    public init(submitted: CampaignAct, ruling: Ruling? = nil) {
        self.submitted = submitted
        self.ruling = ruling
    }
}

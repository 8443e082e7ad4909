/// All live campaigns put to one customer.
public struct CampaignEvaluation: Sendable {
    /// Each campaign, in the order in which they decide.
    public let campaigns: [CampaignExplanation]
    /// What comes of all of them together.
    public let decision: CampaignDecision
}

/// All live campaigns evaluated for one customer.
public struct CampaignEvaluation: Sendable {
    /// Each campaign, in the order in which they decide.
    public let campaigns: [CampaignExplanation]
    /// The outcome of all of them together.
    public let decision: CampaignDecision
}

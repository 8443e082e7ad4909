/// The outcome of one campaign for one customer.
public enum CampaignAllocation: Hashable, Sendable {
    /// It does not take the customer, for the first obstacle in the order of evaluation.
    case passedOver(CampaignObstacle)
    /// The customer is in the holdout, and counts for comparison.
    case heldOut
    /// The customer receives a variant, given by its index.
    case assigned(Int)
}

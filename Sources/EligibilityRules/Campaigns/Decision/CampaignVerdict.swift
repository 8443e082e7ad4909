/// What one campaign comes to for one customer.
public enum CampaignVerdict: Hashable, Sendable {
    /// It does not take the customer. The first of the reasons, in the order in which they are looked at.
    case passedOver(CampaignObstacle)
    /// The customer is one of those who never get it, and counts for comparison.
    case heldOut
    /// The customer gets a variant, by its place among them.
    case assigned(Int)
}

/// Why a campaign does not take a customer; in the order in which it is looked at.
public enum CampaignObstacle: Hashable, Sendable {
    /// It is for another placement.
    case placement
    /// It has not begun.
    case notStarted
    /// It is over.
    case ended
    /// A limit of its own is used up.
    case limitReached
    /// Another campaign of its exclusion group takes the customer, or has done so before.
    case exclusionGroup(takenBy: String)
    /// The id that it puts into buckets is not known of this customer.
    case noUnit
    /// The audience's condition does not hold: it fails, or nobody can tell.
    case audience
    /// The customer is not among those let in so far.
    case notEnrolled
}

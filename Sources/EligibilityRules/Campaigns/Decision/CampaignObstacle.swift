/// Why a campaign does not take a customer, in the order of evaluation.
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
    /// The customer has no known id of the campaign's unit.
    case noUnit
    /// The audience's condition does not hold: it fails or is unknown.
    case audience
    /// The customer is not enrolled so far.
    case notEnrolled
}

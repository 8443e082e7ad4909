/// One campaign evaluated for one customer: the outcome, its reasons, and everything that was read.
public struct CampaignExplanation: Hashable, Sendable {
    /// The revision that was evaluated.
    public let revision: CampaignRevision
    /// The outcome; the same as is served.
    public let allocation: CampaignAllocation
    /// Every obstacle, not only the one that decides, in the order of evaluation.
    public let obstacles: [CampaignObstacle]
    /// The trace of the audience's condition; nil where every customer fits.
    public let audience: ConditionTrace?
    /// The id that was bucketed; nil if unknown.
    public let unit: String?
    /// The unit's bucket for each purpose; empty if the unit is unknown.
    public let buckets: [Bucket.Purpose: Bucket]
}

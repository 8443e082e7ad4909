/// One campaign put to one customer: what came of it and why, all that was looked at included.
public struct CampaignExplanation: Hashable, Sendable {
    /// The revision that was asked.
    public let revision: CampaignRevision
    /// What comes of it; the same as what is served.
    public let verdict: CampaignVerdict
    /// Everything that stands in the way, not only what decides; in the order in which it is looked at.
    public let obstacles: [CampaignObstacle]
    /// The audience's condition; nil where everybody fits.
    public let audience: ConditionTrace?
    /// What was put into buckets; nil where it is not known.
    public let unit: String?
    /// Where the unit falls, for each purpose; empty where it is not known.
    public let buckets: [Bucket.Purpose: Bucket]
}

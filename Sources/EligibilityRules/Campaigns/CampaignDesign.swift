/// The design of a campaign's experiment.
public struct CampaignDesign: Hashable, Sendable {
    /// The unit that is bucketed.
    public var unit: BucketingUnit
    /// The share of the audience that is enrolled, in basis points.
    public var enrolment: Int
    /// The share of the audience that is held out, in basis points.
    public var holdout: Int
    /// The variants, in the order in which buckets are allotted to them.
    public var variants: [CampaignVariant]
    /// What counts as success.
    public var goal: CampaignGoal
    /// When the result may be read.
    public var analysis: CampaignAnalysis

    /// Takes the values as they are.
    public init(
        unit: BucketingUnit = .customer,
        enrolment: Int = Bucket.count,
        holdout: Int = 0,
        variants: [CampaignVariant],
        goal: CampaignGoal = CampaignGoal(),
        analysis: CampaignAnalysis = .sequential
    ) {
        self.unit = unit
        self.enrolment = enrolment
        self.holdout = holdout
        self.variants = variants
        self.goal = goal
        self.analysis = analysis
    }
}

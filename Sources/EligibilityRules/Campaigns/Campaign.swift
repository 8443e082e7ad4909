/// A marketing rule: which customers receive which offers, when, and how many.
///
/// Nothing is checked here, so that a draft with faults can be stored. `CampaignValidation` reports the faults.
public struct Campaign: Hashable, Sendable {
    /// The placement of the App Store's retention requests, which it sends when a customer is about to cancel.
    public static let retentionPlacement = "retention"

    /// Kebab-case; stable.
    public var id: String
    /// The name for display.
    public var name: String
    /// The author's expectation, in plain text. Nil means none.
    public var hypothesis: String?
    /// Kebab-case; lists filter by them.
    public var tags: [String]
    /// The bundle id of the app.
    public var bundleID: String
    /// The place in the app. Nil means every place but the App Store's retention requests.
    public var placement: String?
    /// Campaigns of higher priority decide first.
    public var priority: Int
    /// Campaigns of the same group never take the same customer. Nil means no group.
    public var exclusionGroup: String?
    /// When it runs.
    public var schedule: CampaignSchedule
    /// The unit that is bucketed.
    public var unit: BucketingUnit
    /// The share of the audience that is enrolled, in basis points.
    public var enrolment: Int
    /// The share of the audience that is held out, in basis points.
    public var holdout: Int
    /// The condition that customers must meet. Nil admits every customer.
    public var audience: Condition?
    /// Copies of the segments that the audience names. They never follow a change of the segment by themselves.
    public var segments: [Segment]
    /// How often it gives offers. Nil means without limit.
    public var limits: CampaignLimits?
    /// The variants, in the order in which buckets are allotted to them.
    public var variants: [CampaignVariant]
    /// What counts as success.
    public var goal: CampaignGoal
    /// When the result may be read.
    public var analysis: CampaignAnalysis

    /// Takes the values as they are.
    public init(
        id: String,
        name: String,
        hypothesis: String? = nil,
        tags: [String] = [],
        bundleID: String,
        placement: String? = nil,
        priority: Int = 0,
        exclusionGroup: String? = nil,
        schedule: CampaignSchedule = CampaignSchedule(),
        unit: BucketingUnit = .customer,
        enrolment: Int = Bucket.count,
        holdout: Int = 0,
        audience: Condition? = nil,
        segments: [Segment] = [],
        limits: CampaignLimits? = nil,
        variants: [CampaignVariant],
        goal: CampaignGoal = CampaignGoal(),
        analysis: CampaignAnalysis = .sequential
    ) {
        self.id = id
        self.name = name
        self.hypothesis = hypothesis
        self.tags = tags
        self.bundleID = bundleID
        self.placement = placement
        self.priority = priority
        self.exclusionGroup = exclusionGroup
        self.schedule = schedule
        self.unit = unit
        self.enrolment = enrolment
        self.holdout = holdout
        self.audience = audience
        self.segments = segments
        self.limits = limits
        self.variants = variants
        self.goal = goal
        self.analysis = analysis
    }

    static func isRetention(_ placement: String) -> Bool { ExactText(placement) == ExactText(retentionPlacement) }
}

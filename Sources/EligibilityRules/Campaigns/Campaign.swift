/// A rule of marketing's: who gets which offers, when, and how many of them.
///
/// Nothing is checked here, so that a draft with faults can be kept: `CampaignValidation` tells of them.
public struct Campaign: Hashable, Sendable {
    /// The placement of the App Store's own questions while somebody is about to cancel.
    public static let retentionPlacement = "retention"

    /// Kebab-case; stable.
    public var id: String
    /// For people.
    public var name: String
    /// The app.
    public var bundleID: String
    /// Where in the app; nil: anywhere but in the App Store's questions.
    public var placement: String?
    /// Higher comes first.
    public var priority: Int
    /// Campaigns of the same group never take the same customer; nil: it stands alone.
    public var exclusionGroup: String?
    /// When it runs.
    public var schedule: CampaignSchedule
    /// What is put into buckets.
    public var unit: BucketingUnit
    /// Basis points of the audience that are let in.
    public var enrolment: Int
    /// Basis points of the audience that never get it.
    public var holdout: Int
    /// Who fits; nil: everybody.
    public var audience: Condition?
    /// How often it gives offers; nil: as often as they are asked for.
    public var limits: CampaignLimits?
    /// In the order in which the buckets are shared out.
    public var variants: [CampaignVariant]
    /// What counts as success.
    public var goal: CampaignGoal
    /// When the result may be read.
    public var analysis: CampaignAnalysis

    /// Takes the values as they are.
    public init(
        id: String,
        name: String,
        bundleID: String,
        placement: String? = nil,
        priority: Int = 0,
        exclusionGroup: String? = nil,
        schedule: CampaignSchedule = CampaignSchedule(),
        unit: BucketingUnit = .customer,
        enrolment: Int = Bucket.count,
        holdout: Int = 0,
        audience: Condition? = nil,
        limits: CampaignLimits? = nil,
        variants: [CampaignVariant],
        goal: CampaignGoal = CampaignGoal(),
        analysis: CampaignAnalysis = .sequential
    ) {
        self.id = id
        self.name = name
        self.bundleID = bundleID
        self.placement = placement
        self.priority = priority
        self.exclusionGroup = exclusionGroup
        self.schedule = schedule
        self.unit = unit
        self.enrolment = enrolment
        self.holdout = holdout
        self.audience = audience
        self.limits = limits
        self.variants = variants
        self.goal = goal
        self.analysis = analysis
    }

    static func isRetention(_ placement: String) -> Bool { ExactText(placement) == ExactText(retentionPlacement) }
}

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
    public var tags: [String] = []
    /// The bundle id of the app.
    public var bundleID: String
    /// Where it decides, and beside which others.
    public var slot: CampaignSlot
    /// When it runs.
    public var schedule: CampaignSchedule
    /// The condition that customers must meet. Nil admits every customer.
    public var audience: Condition?
    /// Copies of the segments that the audience names. They never follow a change of the segment by themselves.
    public var segments: [Segment] = []
    /// How often it gives offers. Nil means without limit.
    public var limits: CampaignLimits?
    /// Its experiment.
    public var design: CampaignDesign

    /// Takes the values as they are.
    public init(
        id: String,
        name: String,
        bundleID: String,
        slot: CampaignSlot = CampaignSlot(),
        schedule: CampaignSchedule = CampaignSchedule(),
        audience: Condition? = nil,
        limits: CampaignLimits? = nil,
        design: CampaignDesign
    ) {
        self.id = id
        self.name = name
        self.bundleID = bundleID
        self.slot = slot
        self.schedule = schedule
        self.audience = audience
        self.limits = limits
        self.design = design
    }

    static func isRetention(_ placement: String) -> Bool { ExactText(placement) == ExactText(retentionPlacement) }
}

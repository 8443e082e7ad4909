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

/// Where a campaign decides, and beside which others.
public struct CampaignSlot: Hashable, Sendable {
    /// The place in the app. Nil means every place but the App Store's retention requests.
    public var placement: String?
    /// Campaigns of higher priority decide first.
    public var priority: Int
    /// Campaigns of the same group never take the same customer. Nil means no group.
    public var exclusionGroup: String?

    /// Takes the values as they are.
    public init(placement: String? = nil, priority: Int = 0, exclusionGroup: String? = nil) {
        self.placement = placement
        self.priority = priority
        self.exclusionGroup = exclusionGroup
    }
}

/// How often a campaign gives any of its offers. A nil value sets no limit.
public struct CampaignLimits: Hashable, Sendable {
    /// The number of offers to one customer.
    public let perCustomer: Int?
    /// How long an offer counts toward `perCustomer`; nil means forever.
    public let per: CalendarPeriod?
    /// The number of offers to all customers together.
    public let total: Int?

    /// Takes the values as they are.
    public init(perCustomer: Int? = nil, per: CalendarPeriod? = nil, total: Int? = nil) {
        self.perCustomer = perCustomer
        self.per = per
        self.total = total
    }

    /// The same limits in the terms of an offer's. They count every offer given in the campaign's name.
    public var terms: OfferLimits { OfferLimits(perCustomer: perCustomer, per: per, total: total) }
}

/// When a campaign runs.
public struct CampaignSchedule: Hashable, Sendable {
    /// The first instant; nil means from publication on.
    public let from: Instant?
    /// The end, exclusive; nil means until an operator ends it.
    public let until: Instant?

    /// Takes the values as they are.
    public init(from: Instant? = nil, until: Instant? = nil) {
        self.from = from
        self.until = until
    }

    /// Whether it has not begun yet.
    public func isAhead(at now: Instant) -> Bool { from.map { now < $0 } ?? false }

    /// Whether it is over.
    public func isOver(at now: Instant) -> Bool { until.map { now >= $0 } ?? false }

    /// Whether the two schedules share an instant.
    public func overlaps(_ other: CampaignSchedule) -> Bool {
        let start = max(from?.milliseconds ?? .min, other.from?.milliseconds ?? .min)
        return start < min(until?.milliseconds ?? .max, other.until?.milliseconds ?? .max)
    }
}

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

/// When the result of a campaign may be read.
public enum CampaignAnalysis: Hashable, Sendable {
    /// At any time, as often as wanted.
    case sequential
    /// Once: when the first `sampleSize` units, of all variants together, have completed the goal's window.
    case fixed(sampleSize: Int)

    /// The fewest units of a variant from which a result is read.
    static let minimumUnits = 50
    /// The largest sample size. A larger test would never end.
    static let maxUnits = 1_000_000_000
}

/// What counts as success of a variant, and within what time.
public struct CampaignGoal: Hashable, Sendable {
    /// What counts.
    public enum Metric: String, Sendable, CaseIterable {
        /// A new period of the customer's own begins after the exposure.
        case subscribed
        /// A subscription of the customer's own runs at the window's end.
        case retained
        /// The offer was redeemed.
        case redeemed
    }

    /// What counts.
    public let metric: Metric
    /// The time after the exposure.
    public let window: CalendarPeriod
    /// The expected rate without an offer, 0…1; nil if not given.
    public let expected: Double?
    /// The smallest difference to detect, 0…1; nil if not given.
    public let detect: Double?

    /// Takes the values as they are.
    public init(
        metric: Metric = .subscribed,
        window: CalendarPeriod = CampaignGoal.defaultWindow,
        expected: Double? = nil,
        detect: Double? = nil
    ) {
        self.metric = metric
        self.window = window
        self.expected = expected
        self.detect = detect
    }

    /// Fourteen days.
    public static let defaultWindow = CalendarPeriod("P14D")!
}

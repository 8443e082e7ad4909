/// A marketing rule: which customers receive which offers, when, and how many.
///
/// Nothing is checked here, so that a draft with faults can be stored. `CampaignValidation` reports the faults.
public struct Campaign: Hashable, Sendable {
    /// The placement of the App Store's retention requests, which it sends when a customer is about to cancel.
    public static let retentionPlacement = "retention"

    /// The campaign's id in kebab-case, which never changes.
    public var id: String
    /// The name for display.
    public var name: String
    /// What the author expects of the campaign, in plain text; nil if the author has not said.
    public var hypothesis: String?
    /// Labels in kebab-case, by which lists of campaigns can be filtered.
    public var tags: [String] = []
    /// The bundle id of the app.
    public var bundleID: String
    /// Where the campaign decides, and which campaigns it competes with.
    public var slot: CampaignSlot
    /// When it runs.
    public var schedule: CampaignSchedule
    /// The condition that customers must meet; nil admits every customer.
    public var audience: Condition?
    /// Copies of the segments that the audience names.
    ///
    /// A later change of a segment does not change the copy.
    public var segments: [Segment] = []
    /// How often the campaign gives offers; nil means without limit.
    public var limits: CampaignLimits?
    /// Variants, shares and goal of the campaign's experiment.
    public var design: CampaignDesign

    /// Stores the given values without checking them.
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

    /// Whether a placement is that of Retention Messaging.
    public static func isRetention(_ placement: String) -> Bool { ExactText(placement) == ExactText(retentionPlacement) }
}

/// Where a campaign decides, and which campaigns it competes with.
public struct CampaignSlot: Hashable, Sendable {
    /// The place in the app; nil means every place except the App Store's retention requests.
    public var placement: String?
    /// Campaigns of higher priority decide first.
    public var priority: Int
    /// The group of campaigns of which one customer enters only one; nil means no group.
    public var exclusionGroup: String?

    /// Stores the given values without checking them.
    public init(placement: String? = nil, priority: Int = 0, exclusionGroup: String? = nil) {
        self.placement = placement
        self.priority = priority
        self.exclusionGroup = exclusionGroup
    }
}

/// How often a campaign gives any of its offers.
///
/// A nil value sets no limit.
public struct CampaignLimits: Hashable, Sendable {
    /// The most redemptions of the campaign's offers by one customer.
    public let perCustomer: Int?
    /// How long a redemption counts toward `perCustomer`; nil means forever.
    public let per: CalendarPeriod?
    /// The most redemptions by all customers together, and places that may lead to others.
    public let total: Int?

    /// Stores the given values without checking them.
    public init(perCustomer: Int? = nil, per: CalendarPeriod? = nil, total: Int? = nil) {
        self.perCustomer = perCustomer
        self.per = per
        self.total = total
    }

    /// The same limits in the form of an offer's limits.
    ///
    /// A campaign's limits count every offer that is given in the campaign's name.
    public var terms: OfferLimits { OfferLimits(perCustomer: perCustomer, per: per, total: total) }
}

/// When a campaign runs.
public struct CampaignSchedule: Hashable, Sendable {
    /// The first instant; nil means from publication on.
    public let from: Instant?
    /// The end, exclusive; nil means until an operator ends it.
    public let until: Instant?

    /// Stores the given values without checking them.
    public init(from: Instant? = nil, until: Instant? = nil) {
        self.from = from
        self.until = until
    }

    /// Whether the start lies in the future.
    public func isAhead(at now: Instant) -> Bool { from.map { now < $0 } ?? false }

    /// Whether the end has been reached.
    public func isOver(at now: Instant) -> Bool { until.map { now >= $0 } ?? false }

    /// Whether the two schedules share an instant.
    public func overlaps(_ other: CampaignSchedule) -> Bool {
        let start = max(from?.milliseconds ?? .min, other.from?.milliseconds ?? .min)
        return start < min(until?.milliseconds ?? .max, other.until?.milliseconds ?? .max)
    }
}

/// What a campaign's experiment depends on: the unit, the shares, the variants and the goal.
public struct CampaignDesign: Hashable, Sendable {
    /// The unit that is bucketed.
    public var unit: BucketingUnit
    /// Of the customers who are not held out, the share that the campaign lets in, in basis points.
    public var enrolment: Int
    /// The share of the audience that is held out, in basis points.
    public var holdout: Int
    /// The variants, in the order in which buckets are allotted to them.
    public var variants: [CampaignVariant]
    /// What counts as success, and within what time.
    public var goal: CampaignGoal
    /// When the result may be read.
    public var analysis: CampaignAnalysis
    /// Whether variants that give an introductory offer also give it to customers who have used one of its group before.
    public var givesIntroductoryOfferAgain: Bool

    /// Stores the given values without checking them.
    public init(
        unit: BucketingUnit = .customer,
        enrolment: Int = Bucket.count,
        holdout: Int = 0,
        variants: [CampaignVariant],
        goal: CampaignGoal = CampaignGoal(),
        analysis: CampaignAnalysis = .sequential,
        givesIntroductoryOfferAgain: Bool = false
    ) {
        self.unit = unit
        self.enrolment = enrolment
        self.holdout = holdout
        self.variants = variants
        self.goal = goal
        self.analysis = analysis
        self.givesIntroductoryOfferAgain = givesIntroductoryOfferAgain
    }

    /// Whether the campaign is among those that decide in a scope.
    public func isIn(_ scope: CampaignScope) -> Bool {
        switch scope {
        case .all: true
        case .forNewCustomers: variants.contains { $0.introductoryOffer != nil || $0.link != nil }
        case .introductoryOffers: variants.contains { $0.introductoryOffer != nil }
        }
    }
}

/// Which campaigns decide about a request.
public enum CampaignScope: Sendable, CaseIterable {
    /// All campaigns.
    case all
    /// Campaigns that have something for a customer who can get no promotional offer: an introductory offer or a link in at least
    /// one of their variants.
    case forNewCustomers
    /// Campaigns that give or withhold an introductory offer in at least one of their variants.
    case introductoryOffers
}

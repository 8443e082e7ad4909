/// How often, and when, the result of a campaign may be read.
public enum CampaignAnalysis: Hashable, Sendable {
    /// At any time, as often as wanted.
    case sequential
    /// Once, when the goal's window is over for the first `sampleSize` units of all variants together.
    case fixed(sampleSize: Int)

    /// The number of units that each variant needs before a result is read.
    static let minimumUnits = 50
    /// The largest sample size.
    ///
    /// A larger test would never end.
    static let maxUnits = 1_000_000_000
}

/// What counts as success of a variant, and within what time.
public struct CampaignGoal: Hashable, Sendable {
    /// What a unit must do for its exposure to count as a success.
    public enum Metric: String, Sendable, CaseIterable {
        /// A period that the customer bought begins after the exposure.
        case subscribed
        /// A subscription that the customer bought is active when the window ends.
        case retained
        /// The customer redeemed an offer of the variant.
        case redeemed
        /// A period that the customer bought and paid for begins after the exposure.
        ///
        /// A free trial is not paid for, but the period after it is.
        case convertedToPaid = "converted-to-paid"
        /// What the customer pays within the window, less refunds. A customer who pays something has reached the goal.
        case revenue
    }

    /// What a unit must do for its exposure to count as a success.
    public let metric: Metric
    /// The time after the exposure in which success counts.
    public let window: CalendarPeriod
    /// The expected rate without an offer, 0…1; nil if not given.
    public let expected: Double?
    /// The smallest difference to detect, 0…1 or, for `revenue`, in the currency's unit for each customer; nil if not given.
    public let detect: Double?
    /// The currency of `revenue` (ISO 4217); nil for other metrics.
    public let currency: String?
    /// How much customers' payments are expected to vary, in the currency's unit; nil if not given.
    public let standardDeviation: Double?
    /// The most that one customer's payments count, in the currency's unit; nil if they count in full.
    public let cap: Double?
    /// How many customers of the audience are expected to ask for offers each day, as long as that is not measured; nil if not given.
    public let customersPerDay: Int?

    /// Stores the given values without checking them.
    public init(
        metric: Metric = .subscribed,
        window: CalendarPeriod = CampaignGoal.defaultWindow,
        expected: Double? = nil,
        detect: Double? = nil,
        currency: String? = nil,
        standardDeviation: Double? = nil,
        cap: Double? = nil,
        customersPerDay: Int? = nil
    ) {
        self.metric = metric
        self.window = window
        self.expected = expected
        self.detect = detect
        self.currency = currency
        self.standardDeviation = standardDeviation
        self.cap = cap
        self.customersPerDay = customersPerDay
    }

    /// The window of a goal that sets none: 14 days.
    public static let defaultWindow = CalendarPeriod("P14D")!
}

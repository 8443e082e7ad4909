/// What counts as success of a variant, and within which time.
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
    /// How long after the exposure.
    public let window: CalendarPeriod
    /// The share that is expected without an offer, 0…1; nil if nobody said.
    public let expected: Double?
    /// The smallest difference worth knowing, 0…1; nil if nobody said.
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

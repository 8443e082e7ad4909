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

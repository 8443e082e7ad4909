/// The plan of an A/B test and its counts so far, from which all results follow.
public struct Experiment: Sendable {
    /// The plan, which was settled before the first unit.
    public let plan: ExperimentPlan
    /// The variants, the control first, in the order of the plan's weights.
    public let variants: [VariantTally]
    /// The number of units that saw two variants and are therefore in no other count.
    public let unitsInTwoVariants: Int
    /// How fast units arrive; nil if unknown.
    public let pace: ExposurePace?
    /// The same counts for each segment of the units.
    public let segments: [SegmentTally]
    /// What the units of each variant pay, converted into one currency; nil unless all currencies have a rate.
    var converted: [RevenueMoments]?
    /// The currencies that units paid in and that cannot be converted into the currency of the goal.
    var currenciesWithoutRate: [String] = []

    /// Creates an experiment; nil unless the plan, the counts and each segment have the same number of variants.
    public init?(
        plan: ExperimentPlan,
        variants: [VariantTally],
        unitsInTwoVariants: Int = 0,
        pace: ExposurePace? = nil,
        segments: [SegmentTally] = []
    ) {
        guard variants.count == plan.weights.count, segments.allSatisfy({ $0.exposed.count == variants.count }) else {
            return nil
        }
        self.plan = plan
        self.variants = variants
        self.unitsInTwoVariants = unitsInTwoVariants
        self.pace = pace
        self.segments = segments
    }

    /// What the units of each variant pay; nil if they pay in several currencies and there are no rates.
    private var money: [RevenueMoments]? {
        if let converted { return converted }
        let all = variants.map { $0.revenue.count == 1 ? $0.revenue[0].moments : nil }
        let known = all.compactMap(\.self)
        return known.count == all.count && Set(known.map(\.currency)).count == 1 ? known : nil
    }

    var counts: ExperimentCounts {
        let (atHorizon, money) = (variants.compactMap(\.atHorizon), money)
        let isMoneyBeside = plan.measure == .conversion
        let outcomes = variants.indices.map { index in
            GoalOutcomes(
                variants[index].outcomes, isMoneyBeside ? money?[index] : variants[index].goalRevenue?.moments)
        }
        let first = atHorizon.indices.map { index in
            GoalOutcomes(
                atHorizon[index], isMoneyBeside ? money?[index] : variants[index].goalRevenueAtHorizon?.moments)
        }
        return ExperimentCounts(
            exposed: variants.map(\.exposed), outcomes: outcomes, atHorizon: first.count == variants.count ? first : nil,
            currenciesWithoutRate: currenciesWithoutRate)
    }
}

/// What an experiment compares for its verdict.
public enum ExperimentMeasure: Hashable, Sendable {
    /// The share of units that reach the goal.
    case conversion
    /// What a unit pays on average, in this currency (ISO 4217).
    case revenue(currency: String)
}

/// The outcomes of a variant's units whose window is over.
struct GoalOutcomes {
    let conversions: Conversions
    /// What these units pay, in one currency; nil if that is not known.
    let revenue: RevenueMoments?

    init(_ conversions: Conversions, _ revenue: RevenueMoments? = nil) {
        self.conversions = conversions
        self.revenue = revenue
    }

    /// The rate, or the mean payment; nil without units, and if the payments are not known.
    func value(of measure: ExperimentMeasure) -> Double? { measure == .conversion ? conversions.rate : revenue?.mean }
}

/// The counts that a verdict rests on, one entry per variant, the control first.
struct ExperimentCounts {
    /// The number of exposed units, including those whose window is still open.
    var exposed: [Int]
    /// The outcomes of the units whose window is over.
    var outcomes: [GoalOutcomes]
    /// The outcomes of the first units, whose number the fixed horizon sets; nil until the windows of all of these are over.
    var atHorizon: [GoalOutcomes]?
    /// The currencies that units paid in and that cannot be converted into the currency of the goal.
    var currenciesWithoutRate: [String] = []
}

/// How fast an experiment gains units.
public struct ExposurePace: Hashable, Sendable {
    /// How many units of all variants together were exposed on a recent day, on average.
    public let unitsPerDay: Double
    /// The goal's window, in days.
    public let windowDays: Double

    /// How many units each of the next days is expected to bring; `unitsPerDay` is expected for the days after these.
    public let firstDays: [Double]

    /// Stores the given values without checking them.
    public init(unitsPerDay: Double, windowDays: Double, firstDays: [Double] = []) {
        self.unitsPerDay = unitsPerDay
        self.windowDays = windowDays
        self.firstDays = firstDays
    }

    /// Returns the days until `needed` units have been exposed and their windows are over, rounded up; nil if that never happens.
    ///
    /// - Parameters:
    ///   - needed: the number of units.
    ///   - exposed: how many units have been exposed so far.
    ///   - matured: of how many of these the window is over.
    func days(until needed: Int, exposed: Int, matured: Int) -> Int? {
        if matured >= needed { return 0 }
        let days =
            exposed < needed
            ? days(toExpose: needed - exposed) + windowDays : min(Double(needed - matured) / unitsPerDay, windowDays)
        return days.isFinite && days >= 0 && days < 100_000 ? Int(days.rounded(.up)) : nil
    }

    /// How many units are likely to be exposed within some days from now.
    func exposed(within days: Double) -> Double {
        var (sum, rest) = (0.0, max(0, days))
        for gained in firstDays {
            guard rest >= 1 else { return sum + gained * rest }
            (sum, rest) = (sum + gained, rest - 1)
        }
        return sum + unitsPerDay * rest
    }

    /// Returns the days until this many more units are exposed, not rounded; infinite if that never happens.
    func days(toExpose units: Int) -> Double {
        var rest = Double(units)
        for (day, gained) in firstDays.enumerated() {
            guard gained < rest else { return Double(day) + rest / gained }
            rest -= gained
        }
        return Double(firstDays.count) + rest / unitsPerDay
    }
}

/// The plan of an A/B test and its counts so far: everything that its results follow from.
public struct Experiment: Sendable {
    /// The plan, settled beforehand.
    public let plan: ExperimentPlan
    /// The variants, the control first, in the order of the plan's weights.
    public let variants: [VariantTally]
    /// Units that saw two variants. They are set aside and counted here.
    public let unitsInTwoVariants: Int
    /// How fast units arrive; nil if unknown.
    public let pace: ExposurePace?
    /// The same counts, by segment of the units.
    public let segments: [SegmentTally]

    /// - Returns: nil unless the variants, and those of each segment, match the weights of the plan in number.
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

    var counts: ExperimentCounts {
        let atHorizon = variants.compactMap(\.atHorizon)
        return ExperimentCounts(
            exposed: variants.map(\.exposed), outcomes: variants.map(\.outcomes),
            atHorizon: atHorizon.count == variants.count ? atHorizon : nil)
    }
}

/// The counts that a verdict rests on, one entry per variant, the control first.
struct ExperimentCounts {
    /// Units exposed, including those whose window is open.
    var exposed: [Int]
    /// The outcomes of the units whose window is over.
    var outcomes: [Conversions]
    /// The outcomes of the first units up to the horizon; nil until the last of their windows is over.
    var atHorizon: [Conversions]?
}

/// How fast an experiment gains units.
public struct ExposurePace: Hashable, Sendable {
    /// The units exposed per day, of all variants together, recently.
    public let unitsPerDay: Double
    /// The goal's window, in days.
    public let windowDays: Double

    /// The units of the first days from now, where they are known one by one; `unitsPerDay` follows.
    public let firstDays: [Double]

    /// Takes the values as they are.
    public init(unitsPerDay: Double, windowDays: Double, firstDays: [Double] = []) {
        self.unitsPerDay = unitsPerDay
        self.windowDays = windowDays
        self.firstDays = firstDays
    }

    /// Returns the days until `needed` units have been exposed and their windows are over, rounded up; nil if that never happens.
    func days(until needed: Int, exposed: Int, matured: Int) -> Int? {
        if matured >= needed { return 0 }
        let days =
            exposed < needed
            ? days(toExpose: needed - exposed) + windowDays : min(Double(needed - matured) / unitsPerDay, windowDays)
        return days.isFinite && days >= 0 && days < 100_000 ? Int(days.rounded(.up)) : nil
    }

    private func days(toExpose units: Int) -> Double {
        var rest = Double(units)
        for (day, gained) in firstDays.enumerated() {
            guard gained < rest else { return Double(day) + rest / gained }
            rest -= gained
        }
        return Double(firstDays.count) + rest / unitsPerDay
    }
}

/// How far a variant was from the control, day by day, with the interval that the verdict goes by: one path of the confidence sequence,
/// which as a whole leaves the true difference out with 5 % only (all variants together).
public struct DifferenceBand: Hashable, Sendable {
    /// How far it was when a day was over.
    public struct Point: Hashable, Sendable {
        /// When the day was over, or the instant of the counts if that came first.
        public let until: Instant
        /// Units of the variant and of the control whose windows were over by then.
        public let units: Int
        /// The variant's share less the control's.
        public let value: Double
        /// Where the true difference lies.
        public let interval: ConfidenceInterval
    }

    /// The variant's place in the plan.
    public let variant: Int
    /// By day; never empty.
    public let points: [Point]

    /// Since when the band has left out no difference, without a break until now; nil if it does not now.
    public var decidedSince: Instant? {
        points.reversed().prefix { $0.interval.isAboveZero || $0.interval.isBelowZero }.last?.until
    }
}

extension ExperimentReport {
    /// So many points of time at most: a picture shows no more, and none takes longer for more units.
    public static let maxBandPoints = 60

    /// The band of each variant that is compared, from the day on which there was enough of both; days are left out where there are too
    /// many, the last one never. None where the split is off, and for a fixed horizon, at which one looks once.
    public var bands: [DifferenceBand] {
        let plan = revisions.plan
        guard plan.method == .sequential, !results.sampleRatio.isOff else { return [] }
        return plan.comparisons.compactMap { comparison in
            let enough = days.drop { day in
                !ExperimentPlan.isEnough(day.outcomes[0]) || !ExperimentPlan.isEnough(day.outcomes[comparison.variant])
            }
            let points = Self.sampled(enough).compactMap { DifferenceBand.Point($0, comparison, plan) }
            return points.isEmpty ? nil : DifferenceBand(variant: comparison.variant, points: points)
        }
    }

    private static func sampled(_ days: ArraySlice<MaturityDay>) -> [MaturityDay] {
        guard days.count > maxBandPoints else { return Array(days) }
        return (0..<maxBandPoints).map { days[days.startIndex + $0 * (days.count - 1) / (maxBandPoints - 1)] }
    }
}

extension DifferenceBand.Point {
    fileprivate init?(_ day: MaturityDay, _ comparison: PlannedComparison, _ plan: ExperimentPlan) {
        guard let difference = RateDifference(control: day.outcomes[0], treatment: day.outcomes[comparison.variant]),
            let interval = plan.interval(of: comparison, in: day.outcomes)
        else { return nil }
        self.init(
            until: day.until, units: difference.control.units + difference.treatment.units, value: difference.value,
            interval: interval)
    }
}

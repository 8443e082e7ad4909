/// The difference between a variant and the control, day by day, with the interval that the verdict rests on.
/// It is one path of the confidence sequence. The sequence misses the true difference with 5 % only (all variants together).
public struct DifferenceBand: Hashable, Sendable {
    /// The difference at the end of a day.
    public struct Point: Hashable, Sendable {
        /// The end of the day, or the instant of the counts if that comes first.
        public let until: Instant
        /// The units of the variant and of the control whose windows were over by then.
        public let units: Int
        /// The variant's rate minus the control's.
        public let value: Double
        /// The confidence interval of the true difference.
        public let interval: ConfidenceInterval
    }

    /// The index of the variant in the plan.
    public let variant: Int
    /// By day; never empty.
    public let points: [Point]

    /// Since when the band has excluded a difference of 0 without a break; nil if it does not now.
    public var decidedSince: Instant? {
        points.reversed().prefix { $0.interval.isAboveZero || $0.interval.isBelowZero }.last?.until
    }
}

extension ExperimentReport {
    /// The most points in time. A picture shows no more, and the work does not grow with the units.
    public static let maxBandPoints = 60

    /// The band of each variant that is compared, from the day on which both had enough data.
    /// If there are too many days, some are left out, but never the last. Empty for a mismatch and for a fixed horizon.
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

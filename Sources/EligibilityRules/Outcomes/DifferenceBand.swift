/// The difference between a variant and the control, day by day, with the interval on which the verdict rests.
///
/// The intervals are those of the confidence sequence. The probability that any of them misses the true difference is at most
/// 5 %, over all variants together.
public struct DifferenceBand: Hashable, Sendable {
    /// The difference at the end of a day.
    public struct Point: Hashable, Sendable {
        /// The end of the day, or the instant of the counts if that comes first.
        public let until: Instant
        /// How many units of the variant and the control had their windows over by then.
        public let units: Int
        /// The variant's rate minus the control's, or what its units pay more on average if the goal is revenue.
        public let value: Double
        /// The confidence interval of the true difference.
        public let interval: ConfidenceInterval
    }

    /// The index of the variant in the plan.
    public let variant: Int
    /// The points, the earliest day first; never empty.
    public let points: [Point]

    /// Since when the interval has excluded a difference of 0 on every point; nil if the last point does not exclude it.
    public var decidedSince: Instant? {
        points.reversed().prefix { $0.interval.isAboveZero || $0.interval.isBelowZero }.last?.until
    }
}

extension ExperimentReport {
    /// The most points of a band.
    ///
    /// A chart could not show more, and with a limit the work does not grow with the number of units.
    public static let maxBandPoints = 60

    /// The band of each variant that is compared with the control, from the first day on which both had enough data.
    ///
    /// If there are more days than `maxBandPoints`, some are left out, but not the last one. There are no bands for a fixed
    /// horizon, and if the units are not split as planned.
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
        guard let difference = plan.difference(of: comparison, in: day.goal) else { return nil }
        self.init(
            until: day.until, units: day.outcomes[0].units + day.outcomes[comparison.variant].units, value: difference.value,
            interval: difference.interval)
    }
}

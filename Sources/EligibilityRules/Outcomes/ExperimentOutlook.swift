/// Why a test is likely to end without a verdict, and what would help.
public struct ExperimentOutlook: Hashable, Sendable {
    /// What keeps more units from coming.
    public enum Limit: Hashable, Sendable {
        /// The end of the schedule.
        case end(Instant)
        /// The limit for all customers together.
        case total(Int)
    }

    /// What keeps more units from coming.
    public let limit: Limit
    /// How many units the test is likely to have then.
    public let units: Int
    /// How many units a verdict probably needs.
    public let needed: Int
    /// The smallest difference that so many units probably find, rounded up to tenths of a point, or to cents if the goal is revenue.
    ///
    /// Nil for a test that is read once or has begun, and if no difference is large enough.
    public let detect: Double?
    /// What the difference is of.
    public let measure: ExperimentMeasure
    /// When as many units as needed are likely to have been exposed; nil if that is more than ten years away.
    public let enough: Instant?
}

extension ExperimentOutlook {
    private static let day = 24.0 * 3600 * 1000

    /// Returns nil if the test probably gets the units that a verdict needs, or if that cannot be said.
    ///
    /// - Parameters:
    ///   - campaign: its schedule and its limit for all customers together end the test.
    ///   - pace: how fast units arrive.
    ///   - running: how many units have been exposed so far, and how much of the limit for all customers together they have used. Nil
    ///     for a test that has not begun: how fast its limit will be used up is not known, but its difference may still be changed.
    init?(
        _ campaign: Campaign,
        _ plan: ExperimentPlan,
        pace: ExposurePace,
        running: (exposed: Int, used: Int)? = nil,
        now: Instant
    ) {
        guard let needed = plan.unitsNeeded else { return nil }
        let exposed = running?.exposed ?? 0
        var limits: [(limit: Limit, units: Double)] = []
        if let until = campaign.schedule.until {
            let days = Double(until.milliseconds(since: now)) / Self.day
            limits.append((.end(until), Double(exposed) + pace.exposed(within: days)))
        }
        if let total = campaign.limits?.total, let used = running?.used, used > 0, exposed >= ExperimentPlan.minimumUnits {
            limits.append((.total(total), Double(total) * Double(exposed) / Double(used)))
        }
        guard let first = limits.min(by: { $0.units < $1.units }), first.units < Double(needed) else { return nil }
        limit = first.limit
        units = max(exposed, Int(first.units))
        self.needed = needed
        measure = plan.measure
        detect = running == nil ? Self.detect(plan, units: units) : nil
        let days = pace.days(toExpose: max(0, needed - exposed))
        enough = days < 3650 ? now.advanced(by: Int64((days * Self.day).rounded(.up))) : nil
    }

    private static func detect(_ plan: ExperimentPlan, units: Int) -> Double? {
        guard plan.method == .sequential, let effect = plan.effect else { return nil }
        let scale: Double
        let most: Double
        if let expected = effect.expected {
            (scale, most) = (1000, 1 - expected)
        } else if let deviation = effect.standardDeviation {
            (scale, most) = (100, deviation)
        } else {
            return nil
        }
        func isEnough(_ steps: Int) -> Bool {
            effect.with(detect: Double(steps) / scale)
                .flatMap { ExperimentPlan(weights: plan.weights, measure: plan.measure, effect: $0)?.unitsNeeded }
                .map { $0 <= units } ?? false
        }
        guard max(effect.detect, most) * scale < 1e9 else { return nil }
        var (low, high) = (Int((effect.detect * scale).rounded(.down)), Int((most * scale).rounded(.up)) - 1)
        guard low < high, isEnough(high) else { return nil }
        while high - low > 1 {
            let middle = (low + high) / 2
            if isEnough(middle) { high = middle } else { low = middle }
        }
        return Double(high) / scale
    }
}

extension ExperimentReport {
    /// The number of days until a verdict is likely; nil also if the test probably ends before.
    public var daysNeeded: Int? { outlook == nil ? results.daysNeeded : nil }

    /// Why the test is likely to end without a verdict; nil if it has one, or probably gets one, or if that cannot be said.
    public var outlook: ExperimentOutlook? {
        switch results.verdict.code {
        case .winner, .noDifference, .sampleRatioMismatch: return nil
        case .noVerdictYet, .tooLittleData: break
        }
        guard let pace else { return nil }
        return ExperimentOutlook(
            revisions.campaign, revisions.plan, pace: pace,
            running: (tallies.reduce(0) { $0 + $1.exposed }, tallies.reduce(0) { $0 + $1.signed }), now: asOf)
    }
}

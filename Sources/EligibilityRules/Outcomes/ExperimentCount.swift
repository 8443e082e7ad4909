/// Counts the outcomes of an experiment's units, which are added one after the other in the order of their first exposure.
public struct ExperimentCount: Sendable {
    /// The counts of the units that share a trait, by variant.
    private struct Segment {
        let dimension: ExposureTraits.Dimension
        let value: String
        var exposed: [Int]
        var outcomes: [GoalTally]
    }

    /// The most segments of one kind of trait.
    ///
    /// All other values share a further segment.
    private static let maxSegments = 10
    private static let dayLength: Int64 = 24 * 3600 * 1000

    private let revisions: ExperimentRevisions
    private let now: Instant
    private let currencies: CurrencyTable?
    private let pace: ExposurePace?
    private let unitsOfHorizon: Int
    private var variants: [OutcomeTally]
    private var holdout = OutcomeTally()
    private var outcomes: [GoalTally]
    private var horizon: [GoalTally]
    private var unitsSeen = 0
    private var segments: [Segment] = []
    private var segmentOf: [ExposureTraits.Dimension: [UInt16: Int]] = [:]
    private var days: [Int64: [GoalTally]] = [:]
    private let revenueGoal: RevenueGoal?
    private var currenciesWithoutRate: Set<String> = []
    private var unitsInTwoVariants = 0
    private var unitsOfEarlierRevisions = 0
    private var unreadableUnits = 0

    /// Prepares the count.
    ///
    /// - Parameters:
    ///   - sorted: all units that will be added, in the order of their first exposure.
    ///   - units: the collection from which these units come.
    ///   - isRunning: whether more units may still be exposed.
    ///   - currencies: the rates at which revenue is added up in one currency; nil if currencies are only shown one by one.
    public init(
        _ revisions: ExperimentRevisions,
        _ sorted: [ExposedUnit],
        of units: ExposedUnits,
        now: Instant,
        isRunning: Bool = true,
        currencies: CurrencyTable? = nil
    ) {
        self.revisions = revisions
        self.currencies = currencies
        self.now = now
        revenueGoal = RevenueGoal(revisions.campaign.design.goal, currencies)
        let count = revisions.variants.count
        variants = Array(repeating: OutcomeTally(), count: count)
        outcomes = Array(repeating: GoalTally(), count: count)
        horizon = outcomes
        if case .fixedHorizon(let units) = revisions.plan.method { unitsOfHorizon = units } else { unitsOfHorizon = 0 }
        let goesOn = isRunning && !revisions.campaign.schedule.isOver(at: now)
        pace = goesOn ? ExposurePace(of: sorted, window: revisions.campaign.design.goal.window, now: now) : nil
        for dimension in ExposureTraits.Dimension.allCases { part(sorted, by: dimension, units) }
    }

    /// Adds the next unit.
    ///
    /// - Parameter outcome: nil where the stored purchases cannot be read.
    public mutating func add(_ unit: ExposedUnit, _ outcome: UnitOutcome?) {
        guard let outcome else {
            unreadableUnits += 1
            return
        }
        switch unit.place {
        case .earlierRevision: unitsOfEarlierRevisions += 1
        case .twoVariants: unitsInTwoVariants += 1
        case .holdout: holdout.add(unit, outcome)
        case .variant(let place): add(unit, outcome, to: place)
        }
    }

    private mutating func add(_ unit: ExposedUnit, _ outcome: UnitOutcome, to place: Int) {
        variants[place].add(unit, outcome)
        let goal = outcome.isMatured ? matured(outcome) : GoalTally()
        outcomes[place].add(goal)
        if unitsSeen < unitsOfHorizon {
            unitsSeen += 1
            horizon[place].add(goal)
        }
        for (dimension, numbers) in segmentOf {
            guard let index = numbers[unit.traits[dimension]] ?? numbers[1] else { continue }
            segments[index].exposed[place] += 1
            segments[index].outcomes[place].add(goal)
        }
        guard outcome.isMatured else { return }
        let day = outcome.windowEndsAt.milliseconds / Self.dayLength
        days[day, default: Array(repeating: GoalTally(), count: variants.count)][place].add(goal)
    }

    /// Returns a tally of one unit whose window is over.
    private mutating func matured(_ outcome: UnitOutcome) -> GoalTally {
        var tally = GoalTally()
        let amount = revenueGoal?.amount(of: outcome.paid)
        if let amount { currenciesWithoutRate.formUnion(amount.withoutRate) }
        tally.add(isConverted: outcome.convertedAt != nil, paid: amount?.thousandths ?? 0)
        return tally
    }

    /// Returns the report on the units that were added.
    public func report() -> ExperimentReport {
        let currencies = Set(variants.flatMap { Array($0.currencies) }).sorted(by: TextOrder.precedes)
        let isHorizonOver = unitsSeen == unitsOfHorizon && horizon.reduce(0) { $0 + $1.matured } == unitsOfHorizon
        let tallies = variants.indices.map { index in
            let tally = variants[index]
            return VariantTally(
                id: revisions.variants[index].id, name: revisions.variants[index].name, exposed: tally.exposed,
                outcomes: tally.outcomes,
                atHorizon: unitsOfHorizon > 0 && isHorizonOver ? horizon[index].conversions : nil,
                revenue: currencies.compactMap(tally.revenue),
                goalRevenue: (revenue(outcomes[index]), revenue(horizon[index])))!
        }
        let parts = segments.compactMap { segment in
            SegmentTally(
                dimension: segment.dimension.rawValue, value: segment.value, exposed: segment.exposed,
                outcomes: segment.outcomes.map(\.conversions))
        }
        var experiment = Experiment(
            plan: revisions.plan, variants: tallies, unitsInTwoVariants: unitsInTwoVariants, pace: pace, segments: parts)!
        experiment.currenciesWithoutRate = currenciesWithoutRate.sorted(by: TextOrder.precedes)
        if let table = self.currencies, currencies.allSatisfy({ table.rate(of: $0) != nil }) {
            let converted = variants.compactMap { $0.convertedRevenue(by: table) }
            if converted.count == variants.count { experiment.converted = converted }
        }
        let results = ExperimentResults(experiment)
        let compared = results.sampleRatio.isOff ? [] : Set(revisions.plan.comparisons.map(\.variant))
        return ExperimentReport(
            revisions: revisions, asOf: now, results: results, tallies: variants, holdout: holdout,
            revenue: RevenueReport(variants, holdout: holdout, compared: compared, table: self.currencies),
            unitsOfEarlierRevisions: unitsOfEarlierRevisions, unreadableUnits: unreadableUnits, days: maturityDays, pace: pace)
    }

    private var maturityDays: [MaturityDay] {
        var all = Array(repeating: GoalTally(), count: variants.count)
        return days.keys.sorted().map { number in
            for place in variants.indices { all[place].add(days[number]![place]) }
            let end = Instant(milliseconds: (number + 1) * Self.dayLength)
            return MaturityDay(until: min(end, now), outcomes: all.map(\.conversions), revenue: all.map { revenue($0)?.moments })
        }
    }

    private func revenue(_ tally: GoalTally) -> RevenueSum? { revenueGoal.flatMap { tally.revenue(in: $0.currency) } }

    /// Makes the segments of one kind of trait: one for each of the most frequent values, and one for all others.
    ///
    /// If all units have the same value, there are no segments.
    private mutating func part(_ sorted: [ExposedUnit], by dimension: ExposureTraits.Dimension, _ units: ExposedUnits) {
        var counts: [UInt16: Int] = [:]
        for unit in sorted {
            if case .variant = unit.place { counts[unit.traits[dimension], default: 0] += 1 }
        }
        guard counts.count > 1 else { return }
        // Equally frequent values are ordered by name, so that the same exposures give the same report.
        let named = counts.filter { $0.key != 1 }.map { (number: $0.key, name: units.name(dimension, $0.key), count: $0.value) }
        let frequent = named.sorted { left, right in
            left.count != right.count ? left.count > right.count : TextOrder.precedes(left.name, right.name)
        }.prefix(Self.maxSegments)
        var numbers: [UInt16: Int] = [:]
        for (number, name, _) in frequent { numbers[number] = addSegment(dimension, name) }
        if frequent.count < counts.count { numbers[1] = addSegment(dimension, TraitNames.other) }
        segmentOf[dimension] = numbers
    }

    private mutating func addSegment(_ dimension: ExposureTraits.Dimension, _ value: String) -> Int {
        let nothing = Array(repeating: 0, count: variants.count)
        let outcomes = Array(repeating: GoalTally(), count: variants.count)
        segments.append(Segment(dimension: dimension, value: value, exposed: nothing, outcomes: outcomes))
        return segments.count - 1
    }
}

extension ExposurePace {
    private static let recent: Int64 = 7 * 24 * 3600 * 1000

    /// Measures the pace of the last seven days, or since the first exposure if that is later.
    ///
    /// The result is nil if there was no exposure, or if the first one was less than an hour ago.
    fileprivate init?(of sorted: [ExposedUnit], window: CalendarPeriod, now: Instant) {
        let counted = sorted.lazy.filter { if case .variant = $0.place { true } else { false } }
        guard let first = counted.first?.exposedAt else { return nil }
        let start = max(first, now.advanced(by: -Self.recent))
        let length = now.milliseconds(since: start)
        guard length >= 3_600_000 else { return nil }
        let units = counted.reduce(0) { $0 + ($1.exposedAt >= start ? 1 : 0) }
        let day = 24.0 * 3600 * 1000
        self.init(
            unitsPerDay: Double(units) / (Double(length) / day),
            windowDays: Double(window.after(now).milliseconds(since: now)) / day)
    }
}

import EligibilityRules
import OfferStore

/// One count of a campaign's experiment, from the exposures and histories that are stored now.
///
/// Outcomes are not stored but computed in each count, so that late purchases, refunds and merged customers are counted
/// correctly.
struct ExperimentCounting: Sendable {
    private static let exposuresAtOnce = 5000
    private static let unitsAtOnce = 256

    let exposures: any ExposureStore
    let histories: any HistoryStore
    let system: SystemEnvironment
    let revisions: ExperimentRevisions
    /// The app in the environment whose exposures and purchases are counted.
    let app: App
    /// The instant of the count. Everything that happened later is ignored.
    let asOf: Instant
    /// Whether the campaign may still take more units.
    let isRunning: Bool
    /// The table of exchange rates by which revenue is added up in one currency; nil to report each currency by itself.
    var currencies: CurrencyTable?

    /// Counts all units. Throws a `StoreError`, or a `CancellationError` if the task is cancelled.
    ///
    /// - Parameters:
    ///   - progress: is called from time to time with how many units were counted.
    ///   - each: receives the units in the order of first exposure, each with its outcome; nil if the outcome cannot be read.
    func report(
        progress: (CountingProgress) -> Void = { _ in },
        each: (ArraySlice<(ExposedUnit, UnitOutcome?)>) async throws -> Void = { _ in }
    ) async throws -> ExperimentReport {
        var rest = CountingRest(system)
        var units = try await gathered(&rest)
        if revisions.campaign.design.unit == .customer { try await join(&units, &rest) }
        let sorted = units.sorted()
        var count = ExperimentCount(revisions, sorted, of: units, now: asOf, isRunning: isRunning, currencies: currencies)
        let rule = ConversionRule(revisions.campaign.design.goal, app.policy, catalogue: app.catalogue)
        for start in stride(from: 0, to: sorted.count, by: Self.unitsAtOnce) {
            progress(CountingProgress(done: start, total: sorted.count))
            let slice = sorted[start..<min(sorted.count, start + Self.unitsAtOnce)]
            let outcomes = try await outcomes(of: slice, rule)
            for (unit, outcome) in outcomes { count.add(unit, outcome) }
            try await each(outcomes)
            try await rest.rest()
        }
        return count.report()
    }

    private func gathered(_ rest: inout CountingRest) async throws -> ExposedUnits {
        var units = ExposedUnits(revisions, now: asOf)
        var last: Int64 = 0
        while true {
            let page = try await exposures.exposures(
                of: revisions.campaign.id, partition: app.partition, after: last, limit: Self.exposuresAtOnce)
            for (id, exposure) in page {
                last = id
                if exposure.arm.unitKind == revisions.campaign.design.unit { units.add(UnitExposure(exposure)) }
            }
            if page.count < Self.exposuresAtOnce { return units }
            try await rest.rest()
        }
    }

    /// Joins the units of customers who were merged after they had been exposed.
    private func join(_ units: inout ExposedUnits, _ rest: inout CountingRest) async throws {
        var start = 0
        while true {
            let ids = units.ids(from: start, limit: Self.exposuresAtOnce)
            guard !ids.isEmpty else { return }
            let customers = try await histories.customers(named: ids, partition: app.partition)
            for (id, customer) in zip(ids, customers) { units.join(id, into: customer) }
            start += ids.count
            try await rest.rest()
        }
    }

    private func outcomes(
        of units: ArraySlice<ExposedUnit>,
        _ rule: ConversionRule
    ) async throws(StoreError) -> ArraySlice<(ExposedUnit, UnitOutcome?)> {
        let stored = try await histories.wholeHistories(of: units.map { query($0.id) })
        return zip(units, stored).map { unit, stored in
            guard !stored.isDamaged else { return (unit, nil) }
            var offers: [CampaignVariant.Offer] = []
            if case .variant(let place) = unit.place { offers = revisions.variants[place].offers }
            return (unit, rule.outcome(of: stored.history, exposedAt: unit.exposedAt, offers: offers, now: asOf))
        }[...]
    }

    private func query(_ unit: String) -> HistoryQuery {
        switch revisions.campaign.design.unit {
        case .customer: HistoryQuery(partition: app.partition, customerID: unit)
        case .appTransaction: HistoryQuery(partition: app.partition, appTransactionID: unit)
        case .originalTransaction: HistoryQuery(partition: app.partition, transactionID: unit)
        }
    }
}

extension UnitExposure {
    init(_ exposure: Exposure) {
        self.init(
            unit: exposure.unit, variant: exposure.arm.variant, revision: exposure.arm.revision, at: exposure.at,
            source: exposure.source, isSigned: exposure.nonce != nil)
    }
}

/// Keeps a long count from slowing down signatures. After its first seconds the count rests as long as it works.
struct CountingRest {
    /// How long a count works before it takes its first rest.
    private static let sprint = Duration.seconds(2)

    private let system: SystemEnvironment
    private let started = ContinuousClock.now
    private var resumed = ContinuousClock.now

    init(_ system: SystemEnvironment) { self.system = system }

    /// Rests after a piece of work. Throws if the count is cancelled.
    mutating func rest() async throws {
        try Task.checkCancellation()
        let now = ContinuousClock.now
        if now - started > Self.sprint { try await system.sleep(now - resumed) }
        resumed = .now
    }
}

package import EligibilityRules
package import OfferStore
import ServiceLifecycle
import Synchronization

/// Reports the results of campaigns. A long count goes on as a job. The last results are kept in memory only.
package final class CampaignResultsDesk: Sendable {
    private struct Key: Hashable {
        let name: CampaignName
        let partition: AppPartition
        let asOf: Instant?
    }

    private struct Kept {
        let report: ExperimentReport
        /// The number of the campaign's latest revision at the time of the count.
        let revision: Int
        let countedAt: ContinuousClock.Instant
        let length: Duration
        var usedAt: ContinuousClock.Instant
    }

    private struct State {
        var kept: [Key: Kept] = [:]
        var jobs: [Key: CountingJob<ExperimentReport>] = [:]
        var last: CountingJob<ExperimentReport>?
        var isClosed = false
    }

    /// The maximum number of kept results.
    private static let maxKept = 64
    /// The maximum number of waiting counts.
    private static let maxJobs = 16
    private static let revisionsAtOnce = 50

    private let store: any CampaignStore
    private let exposures: any ExposureStore
    private let histories: any HistoryStore
    private let system: SystemEnvironment
    /// The table of exchange rates by which revenue is added up in one currency; nil if each currency is reported by itself.
    package let currencies: CurrencyTable?
    private let patience: Duration
    private let state = Mutex(State())
    private let executor = BoundedExecutor(
        threads: 1, limit: 8, niceness: 10, refusal: CampaignError.busy)

    /// - Parameters:
    ///   - currencies: the table of exchange rates by which revenue is added up in one currency; nil to report each currency by
    ///     itself.
    ///   - patience: how long a request waits for a count.
    package init(
        campaigns: any CampaignStore,
        exposures: any ExposureStore,
        histories: any HistoryStore,
        system: SystemEnvironment,
        currencies: CurrencyTable? = nil,
        patience: Duration = .seconds(2)
    ) {
        self.patience = patience
        store = campaigns
        self.exposures = exposures
        self.histories = histories
        self.system = system
        self.currencies = currencies
    }

    /// The results of a campaign.
    ///
    /// The results of a count are returned again until ten times the time that the count took has passed.
    ///
    /// - Parameters:
    ///   - app: the app in the environment whose exposures and purchases count.
    ///   - asOf: the end of the period in which exposures, purchases and refunds count; nil for now. It must not be later than
    ///     now.
    package func results(of id: String, _ app: App, asOf: Instant? = nil) async throws -> ExperimentFigures {
        let counting = try await counting(of: id, app, asOf: asOf)
        let key = Key(name: CampaignName(id, of: app.bundleID), partition: app.partition, asOf: asOf)
        if let report = fresh(key, counting.revisions.numbers.upperBound) { return .counted(report, nil) }
        let job = try job(for: key, counting)
        await job.ended(within: patience)
        if let result = job.result { return .counted(try result.get(), nil) }
        let last = state.withLock { $0.kept[key]?.report }
        return last.map { .counted($0, job.progress) } ?? .counting(job.progress)
    }

    /// The results of a campaign, counted now. Waits for the whole count.
    func report(of id: String, _ app: App) async throws -> ExperimentReport {
        let counting = try await counting(of: id, app, asOf: nil)
        return try await executor.run { try await counting.report() }
    }

    /// The variants of a campaign that testers have met, in any environment.
    ///
    /// The results of the campaign do not include testers.
    package func rehearsals(of id: String, _ app: App) async throws -> [RehearsalCount] {
        try await exposures.rehearsals(of: id, bundleID: app.bundleID)
    }

    /// All units with their outcomes. They are counted while the caller writes them.
    ///
    /// - Parameters: as for `results`.
    package func assignments(of id: String, _ app: App, asOf: Instant? = nil) async throws -> AssignmentExport {
        let counting = try await counting(of: id, app, asOf: asOf)
        try executor.checkRoom()
        return AssignmentExport(counting: counting, executor: executor)
    }

    /// The present, which is the latest instant that `asOf` may have.
    package var now: Instant { system.now() }

    /// A count of the latest revision that was published by `asOf`, and of the earlier ones that belong to the same experiment.
    ///
    /// Throws a `CampaignError` if there is no such revision, or if it cannot be read.
    private func counting(of id: String, _ app: App, asOf: Instant?) async throws -> ExperimentCounting {
        let name = CampaignName(id, of: app.bundleID)
        guard let record = try await store.campaign(id: id, bundleID: app.bundleID) else {
            throw CampaignError.unknownCampaign(name)
        }
        let past = try await publications(of: name).filter { asOf == nil || $0.published.at <= asOf! }
        guard let latest = past.first else { throw CampaignError.nothingPublished(name) }
        let readable = past.prefix { CampaignText($0.document).campaign != nil }.compactMap { publication in
            CampaignText(publication.document).campaign.map { CampaignRevision($0, number: publication.number) }
        }
        guard let revisions = ExperimentRevisions(readable) else {
            let faults = CampaignText(latest.document).faults
            throw CampaignError.faulty(faults.map { .unreadable($0.name, "It \($0.reason).") })
        }
        return ExperimentCounting(
            exposures: exposures, histories: histories, system: system, revisions: revisions, app: app,
            asOf: asOf ?? system.now(), isRunning: record.status.standing == .live, currencies: currencies)
    }

    private func publications(of name: CampaignName) async throws(StoreError) -> [CampaignPublication] {
        var found: [CampaignPublication] = []
        while true {
            let page = try await store.publications(
                of: name.id, bundleID: name.bundleID, before: found.last?.number, limit: Self.revisionsAtOnce)
            found += page
            if page.count < Self.revisionsAtOnce { return found }
        }
    }

    private func fresh(_ key: Key, _ revision: Int) -> ExperimentReport? {
        state.withLock { state in
            guard let kept = state.kept[key], kept.revision == revision, .now - kept.countedAt < kept.length * 10 else {
                return nil
            }
            state.kept[key]!.usedAt = .now
            return kept.report
        }
    }

    /// The job that already counts these results or, if there is none, a new job that starts after the others.
    private func job(for key: Key, _ counting: ExperimentCounting) throws -> CountingJob<ExperimentReport> {
        try state.withLock { state in
            if let job = state.jobs[key], job.result == nil { return job }
            guard state.jobs.count < Self.maxJobs, !state.isClosed else {
                throw CampaignError.busy
            }
            let job = CountingJob<ExperimentReport>()
            job.start(after: state.last, on: executor) { [self] progress in
                defer { forget(key, job) }
                let start = ContinuousClock.now
                let report = try await counting.report(progress: progress)
                keep(report, key, since: start)
                return report
            }
            state.jobs[key] = job
            state.last = job
            return job
        }
    }

    private func keep(_ report: ExperimentReport, _ key: Key, since start: ContinuousClock.Instant) {
        state.withLock { state in
            let now = ContinuousClock.now
            state.kept[key] = Kept(
                report: report, revision: report.revisions.numbers.upperBound, countedAt: now, length: now - start, usedAt: now)
            guard state.kept.count > Self.maxKept else { return }
            if let oldest = state.kept.min(by: { $0.value.usedAt < $1.value.usedAt }) { state.kept[oldest.key] = nil }
        }
    }

    private func forget(_ key: Key, _ job: CountingJob<ExperimentReport>) {
        state.withLock { state in
            if state.jobs[key] === job { state.jobs[key] = nil }
        }
    }
}

extension CampaignResultsDesk: Service {
    /// Cancels all counts when the service ends.
    package func run() async throws {
        try? await gracefulShutdown()
        let jobs = state.withLock { state in
            state.isClosed = true
            return state.jobs.values.map(\.self)
        }
        for job in jobs { job.cancel() }
        for job in jobs { await job.ended() }
    }
}

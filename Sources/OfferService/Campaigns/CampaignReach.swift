package import EligibilityRules
package import OfferStore
import ServiceLifecycle
import Synchronization

/// Counts the customers that an audience would reach, while marketing is still writing the campaign.
///
/// A count reads all stored customers, one audience after the other, while the service goes on signing.
/// A caller asks the same question repeatedly. The answer is first the progress of the count, and then, for a minute, its result.
/// Which customers have asked for offers lately is read once in some minutes and used for all audiences.
package final class CampaignReach: Sendable {
    /// How far a count is, or what it has counted.
    package enum Progress: Sendable {
        case counting(CountingProgress)
        case counted(AudienceCount, AudienceFunnel, at: Instant)
    }

    private struct Question: Hashable {
        let partition: AppPartition
        let audience: Condition?
    }

    private struct Asked {
        let job: CountingJob<AudienceCount>
        let asOf: Instant
        // A monotonic clock, so that setting the wall clock does not make a result younger.
        var last = ContinuousClock.now
    }

    private struct State {
        var asked: [Question: Asked] = [:]
        var last: CountingJob<AudienceCount>?
        /// The customers who asked lately, of the app that was counted last. They are kept for that app only, because they may be
        /// many.
        var customers: (of: AppPartition, read: AskingCustomers, at: ContinuousClock.Instant)?
        var isClosed = false
    }

    /// The maximum number of counts that are under way or kept.
    private static let maxAsked = 64
    private static let maxUnderWay = 4
    private static let lifetimesOfCustomers = 5

    private let scan: any CustomerScan
    private let asking: AskingLook
    private let system: SystemEnvironment
    private let threads: Int
    private let interest: Duration
    private let lifetime: Duration
    private let executor: BoundedExecutor
    private let state = Mutex(State())

    /// - Parameters:
    ///   - threads: the number of threads that count at once.
    ///   - interest: the time after which a count is cancelled if no caller has asked for it again.
    ///   - lifetime: how long a result is kept after its count ended.
    ///   - niceness: the nice value of the threads (0...19).
    package init(
        scan: any CustomerScan,
        asking: AskingLook,
        threads: Int,
        system: SystemEnvironment,
        interest: Duration = .seconds(30),
        lifetime: Duration = .seconds(60),
        niceness: Int32 = 19
    ) {
        self.scan = scan
        self.asking = asking
        self.system = system
        self.threads = threads
        self.interest = interest
        self.lifetime = lifetime
        executor = BoundedExecutor(threads: threads, limit: .max, niceness: niceness, refusal: CampaignError.busy)
    }

    /// Counts the customers of an app, in an environment, that fit an audience.
    ///
    /// Returns the result if it is known within `patience`, and otherwise the progress.
    package func count(_ audience: Condition?, of app: App, within patience: Duration) async throws -> Progress {
        let funnel = try AudienceFunnel(audience, segments: .none)
        let (job, asOf) = try job(for: Question(partition: app.partition, audience: audience), funnel, app)
        await job.ended(within: patience)
        guard let result = job.result else { return .counting(job.progress) }
        return .counted(try result.get(), funnel, at: asOf)
    }

    private func job(
        for question: Question,
        _ funnel: AudienceFunnel,
        _ app: App
    ) throws -> (CountingJob<AudienceCount>, asOf: Instant) {
        try state.withLock { state in
            for (question, asked) in state.asked where isOver(asked) {
                asked.job.cancel()
                state.asked[question] = nil
            }
            if let asked = state.asked[question] {
                state.asked[question]!.last = .now
                return (asked.job, asked.asOf)
            }
            let underWay = state.asked.values.count { $0.job.result == nil }
            guard underWay < Self.maxUnderWay, state.asked.count < Self.maxAsked, !state.isClosed else {
                throw CampaignError.busy
            }
            let asked = Asked(job: CountingJob(), asOf: system.now())
            asked.job.start(after: state.last, on: executor) { [self, scan, threads] progress in
                let customers = try await customers(of: app.partition, now: asked.asOf)
                let counting = AudienceCounting(
                    funnel: funnel, app: app, scan: scan, asOf: asked.asOf, asking: customers, parts: threads)
                return try await counting.count(progress: progress)
            }
            state.asked[question] = asked
            state.last = asked.job
            return (asked.job, asked.asOf)
        }
    }

    /// The customers who have asked for offers lately, as read now or a few minutes ago.
    ///
    /// Jobs run one after the other, so no two of them read these customers at the same time.
    private func customers(of partition: AppPartition, now: Instant) async throws -> AskingCustomers {
        let kept = state.withLock { state in
            forgetCustomers(&state)
            return state.customers.flatMap { $0.of == partition ? $0.read : nil }
        }
        if let kept { return kept }
        let read = try await asking.customers(of: partition, now: now)
        state.withLock { $0.customers = (partition, read, .now) }
        return read
    }

    private func forgetCustomers(_ state: inout State) {
        if let kept = state.customers, kept.at + lifetime * Self.lifetimesOfCustomers < .now { state.customers = nil }
    }

    private func isOver(_ asked: Asked) -> Bool {
        switch asked.job.result {
        case nil: asked.last + interest < .now
        // Measured from the end of the count, because on a busy machine the count itself may take longer than the lifetime.
        case .success?: asked.job.endedAt.map { $0 + lifetime < .now } ?? false
        case .failure?: true
        }
    }
}

extension CampaignReach: Service {
    /// Forgets customers that were read too long ago, and cancels all counts when the service ends.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: self.lifetime)) != nil { self.state.withLock { self.forgetCustomers(&$0) } }
        }
        let jobs = state.withLock { state in
            state.isClosed = true
            return state.asked.values.map(\.job)
        }
        for job in jobs { job.cancel() }
        for job in jobs { await job.ended() }
    }
}

package import EligibilityRules
package import OfferStore
import Synchronization

/// Counts whom an audience would reach, while a campaign is written: over all stored customers, beside the signatures.
///
/// Who asks again for the same gets the progress, and then the result, for a minute.
package final class CampaignReach: Sendable {
    /// How far a count has come.
    package enum Progress: Sendable {
        /// So many were looked at, of so many, as far as that is known.
        case counting(Int, of: Int?)
        case counted(AudienceCount, AudienceFunnel, at: Instant)
    }

    private struct Question: Hashable {
        let partition: String
        let audience: Condition?
    }

    private struct Job {
        let counting: AudienceCounting
        let task: Task<Void, Never>
    }

    private static let maxJobs = 4
    private static let lifetime: Int64 = 60_000
    // What nobody has asked for since is wanted no more.
    private static let patience: Int64 = 30_000

    private let scan: any CustomerScan
    private let system: SystemEnvironment
    private let threads: Int
    private let executor: BoundedExecutor
    private let jobs = Mutex<[Question: Job]>([:])

    /// - Parameter threads: how many count at once; they stand back for everybody else.
    package init(scan: any CustomerScan, threads: Int, system: SystemEnvironment) {
        self.scan = scan
        self.system = system
        self.threads = threads
        executor = BoundedExecutor(threads: threads, limit: .max, niceness: 10, refusal: CampaignError.busy)
    }

    /// How many customers of an app, in an environment, fit an audience: the result, if it is there within a time, or the progress.
    package func count(_ audience: Condition?, of app: App, within patience: Duration) async throws -> Progress {
        let funnel = try AudienceFunnel(audience, segments: .none)
        let counting = try counting(funnel, Question(partition: app.partition, audience: audience), app)
        let deadline = ContinuousClock.now + patience
        while counting.result == nil, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(20)) }
        switch counting.result {
        case nil:
            let progress = counting.progress
            return .counting(progress.counted, of: progress.of)
        case .success(let count)?: return .counted(count, funnel, at: counting.startedAt)
        case .failure(let error)?: throw error
        }
    }

    private func counting(_ funnel: AudienceFunnel, _ question: Question, _ app: App) throws -> AudienceCounting {
        let now = system.now()
        return try jobs.withLock { jobs in
            for (key, job) in jobs where isOver(job.counting, at: now) {
                job.task.cancel()
                jobs[key] = nil
            }
            if let job = jobs[question] {
                job.counting.ask(at: now)
                return job.counting
            }
            guard jobs.values.count(where: { $0.counting.result == nil }) < Self.maxJobs else {
                throw CampaignError.busy
            }
            let counting = AudienceCounting(funnel, of: app, scan, at: now)
            let task = Task { [threads, executor] in await counting.run(parts: threads, on: executor) }
            jobs[question] = Job(counting: counting, task: task)
            return counting
        }
    }

    private func isOver(_ counting: AudienceCounting, at now: Instant) -> Bool {
        switch counting.result {
        case nil: counting.askedAt.advanced(by: Self.patience) < now
        case .success?: counting.startedAt.advanced(by: Self.lifetime) < now
        case .failure?: true
        }
    }
}

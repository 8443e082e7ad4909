import GRDB
import Synchronization

/// Lets the submissions of many callers share one durable transaction of the writer.
final class GroupCommit<Submission: Sendable, Outcome: Sendable>: Sendable {
    /// Receives one outcome a submission, in order, or why nothing was written.
    typealias Completion = @Sendable (Result<[Outcome], StoreError>) -> Void

    private struct Job: Sendable {
        let submissions: [Submission]
        let completion: Completion
    }

    private struct Queue {
        var jobs: [Job] = []
        var depth = 0
        var isDraining = false
    }

    private let store: SQLiteStore
    private let purpose: String
    /// Bounds the memory of a batch and the wait of the first request in it.
    private let mostPerBatch: Int
    private let observer: (any LedgerObserver)?
    private let write: @Sendable ([[Submission]], Database) throws -> [[Outcome]]
    private let queue = Mutex(Queue())

    /// - Parameters:
    ///   - purpose: what the writing is for, to be named in errors.
    ///   - observer: is told of batches; nil where nobody counts them.
    ///   - write: writes the submissions of several callers, inside a transaction.
    init(
        store: SQLiteStore,
        purpose: String,
        mostPerBatch: Int,
        observer: (any LedgerObserver)? = nil,
        write: @escaping @Sendable ([[Submission]], Database) throws -> [[Outcome]]
    ) {
        self.store = store
        self.purpose = purpose
        self.mostPerBatch = mostPerBatch
        self.observer = observer
        self.write = write
    }

    /// Queues submissions for the next transaction; `completion` is called once they are durable.
    func submit(_ submissions: [Submission], completion: @escaping Completion) {
        let mustStart = queue.withLock { queue in
            queue.jobs.append(Job(submissions: submissions, completion: completion))
            changeDepth(of: &queue, by: submissions.count)
            defer { queue.isDraining = true }
            return !queue.isDraining
        }
        if mustStart { scheduleDrain() }
    }

    // One batch a turn on the writer's queue, so that everybody else who writes gets theirs in between.
    private func scheduleDrain() {
        store.pool.asyncWriteWithoutTransaction { [self] database in
            let jobs = takeBatch()
            if !jobs.isEmpty { commit(jobs, database) }
            let isDone = queue.withLock { queue in
                queue.isDraining = !queue.jobs.isEmpty
                return !queue.isDraining
            }
            if !isDone { scheduleDrain() }
        }
    }

    private func takeBatch() -> [Job] {
        queue.withLock { queue in
            var count = 0
            var taken = 0
            while taken < queue.jobs.count, count < mostPerBatch {
                count += queue.jobs[taken].submissions.count
                taken += 1
            }
            let jobs = Array(queue.jobs.prefix(taken))
            queue.jobs.removeFirst(taken)
            changeDepth(of: &queue, by: -count)
            return jobs
        }
    }

    // Told under the lock: the last that is heard is the last that was.
    private func changeDepth(of queue: inout Queue, by change: Int) {
        queue.depth += change
        observer?.ledgerQueueChanged(depth: queue.depth)
    }

    private func commit(_ jobs: [Job], _ database: Database) {
        let start = ContinuousClock.now
        switch Result(catching: { () throws(StoreError) in try durably(jobs, database) }) {
        case .success(let outcomes):
            let count = outcomes.reduce(0) { $0 + $1.count }
            observer?.ledgerDidCommit(submissions: count, duration: ContinuousClock.now - start)
            for (job, outcomes) in zip(jobs, outcomes) { job.completion(.success(outcomes)) }
        case .failure(let error):
            observer?.ledgerDidFail(error)
            for job in jobs { job.completion(.failure(error)) }
        }
    }

    private func durably(_ jobs: [Job], _ database: Database) throws(StoreError) -> [[Outcome]] {
        try store.check(database)
        do {
            var outcomes: [[Outcome]] = []
            try database.inTransaction(.immediate) {
                outcomes = try write(jobs.map(\.submissions), database)
                return .commit
            }
            return outcomes
        } catch {
            throw StoreError(wrapping: error, doing: purpose)
        }
    }
}

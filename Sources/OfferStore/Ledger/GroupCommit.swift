// Under the thread sanitizer, a lock of this module is used instead of `Mutex`.
#if !THREAD_SANITIZER
    public import Synchronization
#endif

/// Lets the submissions of many callers share one durable transaction, for any database.
///
/// Inlinable, so that it is specialised for its types: generic code at run time costs as much as parsing a request.
public final class GroupCommit<Submission: Sendable, Outcome: Sendable>: Sendable {
    /// Receives one outcome for each submission, in order, or the reason why nothing was written.
    public typealias Completion = @Sendable (Result<[Outcome], StoreError>) -> Void

    /// Writes the submissions of several callers durably, all or none.
    public typealias Write = ([[Submission]]) throws(StoreError) -> [[Outcome]]

    @usableFromInline struct Job: Sendable {
        @usableFromInline let submissions: [Submission]
        @usableFromInline let completion: Completion

        @inlinable init(_ submissions: [Submission], _ completion: @escaping Completion) {
            self.submissions = submissions
            self.completion = completion
        }
    }

    @usableFromInline struct Queue {
        @usableFromInline var jobs: [Job] = []
        @usableFromInline var depth = 0
        @usableFromInline var isDraining = false

        @inlinable init() {}
    }

    /// Limits the memory of a batch, and the wait of its first request.
    @usableFromInline let maxPerBatch: Int
    @usableFromInline let observer: (any LedgerObserver)?
    @usableFromInline let onWriter: @Sendable (_ turn: @escaping @Sendable (Write) -> Void) -> Void
    @usableFromInline let queue = Mutex(Queue())

    /// - Parameters:
    ///   - maxPerBatch: maximum number of submissions in a transaction. One caller's submissions stay together.
    ///   - observer: receives reports of batches; nil for none.
    ///   - onWriter: calls `turn` when this queue may write.
    @inlinable public init(
        maxPerBatch: Int,
        observer: (any LedgerObserver)? = nil,
        onWriter: @escaping @Sendable (_ turn: @escaping @Sendable (Write) -> Void) -> Void
    ) {
        self.maxPerBatch = maxPerBatch
        self.observer = observer
        self.onWriter = onWriter
    }

    /// Queues submissions for the next transaction. Calls `completion` once they are durable.
    @inlinable public func submit(_ submissions: [Submission], completion: @escaping Completion) {
        let mustStart = queue.withLock { queue in
            queue.jobs.append(Job(submissions, completion))
            changeDepth(of: &queue, by: submissions.count)
            defer { queue.isDraining = true }
            return !queue.isDraining
        }
        if mustStart { scheduleDrain() }
    }

    // One batch for each turn, so that other writers get their turns in between.
    @inlinable func scheduleDrain() {
        onWriter { [self] write in
            let jobs = takeBatch()
            if !jobs.isEmpty { commit(jobs, write) }
            let isDone = queue.withLock { queue in
                queue.isDraining = !queue.jobs.isEmpty
                return !queue.isDraining
            }
            if !isDone { scheduleDrain() }
        }
    }

    @inlinable func takeBatch() -> [Job] {
        queue.withLock { queue in
            var count = 0
            var taken = 0
            while taken < queue.jobs.count, count < maxPerBatch {
                count += queue.jobs[taken].submissions.count
                taken += 1
            }
            let jobs = Array(queue.jobs.prefix(taken))
            queue.jobs.removeFirst(taken)
            changeDepth(of: &queue, by: -count)
            return jobs
        }
    }

    // Reports under the lock, so that the last report is the latest depth.
    @inlinable func changeDepth(of queue: inout Queue, by change: Int) {
        queue.depth += change
        observer?.ledgerQueueChanged(depth: queue.depth)
    }

    @inlinable func commit(_ jobs: [Job], _ write: Write) {
        let start = ContinuousClock.now
        do throws(StoreError) {
            let outcomes = try write(jobs.map { $0.submissions })
            let count = outcomes.reduce(0) { $0 + $1.count }
            observer?.ledgerDidCommit(submissions: count, duration: ContinuousClock.now - start)
            for (job, outcomes) in zip(jobs, outcomes) { job.completion(.success(outcomes)) }
        } catch {
            observer?.ledgerDidFail(error)
            for job in jobs { job.completion(.failure(error)) }
        }
    }
}

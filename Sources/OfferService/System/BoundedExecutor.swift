import Synchronization

/// Runs asynchronous work on threads of its own: so much is under way at a time, and the next is refused at once.
///
/// For what takes long, and for what strangers send: it shares threads with nothing that others wait for.
package final class BoundedExecutor: TaskExecutor {
    private let jobs = JobQueue()
    private let limit: Int
    private let refusal: any Error
    private let underWay = Atomic(0)

    /// - Parameters:
    ///   - limit: how many operations are under way at a time, those that wait for a thread or for the store included.
    ///   - niceness: how far the threads stand back for others (0...19).
    ///   - refusal: what an operation beyond that fails with.
    package init(threads: Int, limit: Int, niceness: Int32 = 0, refusal: any Error) {
        self.limit = limit
        self.refusal = refusal
        for _ in 0..<threads { jobs.startThread(niceness: niceness) }
    }

    deinit { jobs.close() }

    /// Fails if the next operation would be refused.
    package func checkRoom() throws {
        guard underWay.load(ordering: .relaxed) < limit else { throw refusal }
    }

    /// Counts an operation in, or fails; `leave` counts it out.
    package func enter() throws {
        guard underWay.add(1, ordering: .relaxed).newValue <= limit else {
            underWay.subtract(1, ordering: .relaxed)
            throw refusal
        }
    }

    /// Counts an operation out.
    package func leave() { underWay.subtract(1, ordering: .relaxed) }

    /// Runs an operation on the threads, or fails if it would be one too many.
    package func run<Value: Sendable>(_ operation: () async throws -> Value) async throws -> Value {
        try enter()
        defer { leave() }
        return try await withTaskExecutorPreference(self, operation: operation)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        jobs.append { job.runSynchronously(on: executor) }
    }
}

import Synchronization

/// Runs asynchronous work on threads of its own: a limited number of operations at a time; the next is refused at once.
///
/// For what takes long, and for what unauthenticated clients send: other work does not wait for its threads.
package final class BoundedExecutor: TaskExecutor {
    private let jobs = JobQueue()
    private let limit: Int
    private let refusal: any Error
    private let underWay = Atomic(0)

    /// - Parameters:
    ///   - limit: the maximum of operations under way, including those that wait for a thread or for the store.
    ///   - niceness: the nice value of the threads (0...19).
    ///   - refusal: the error of an operation beyond the limit.
    package init(threads: Int, limit: Int, niceness: Int32 = 0, refusal: any Error) {
        self.limit = limit
        self.refusal = refusal
        for _ in 0..<threads { jobs.startThread(niceness: niceness) }
    }

    deinit { jobs.close() }

    /// Throws if the next operation would be refused.
    package func checkRoom() throws {
        guard underWay.load(ordering: .relaxed) < limit else { throw refusal }
    }

    /// Counts an operation in, or throws; `leave` counts it out.
    package func enter() throws {
        guard underWay.add(1, ordering: .relaxed).newValue <= limit else {
            underWay.subtract(1, ordering: .relaxed)
            throw refusal
        }
    }

    /// Counts an operation out.
    package func leave() { underWay.subtract(1, ordering: .relaxed) }

    /// Runs an operation on the threads, or throws if it is beyond the limit.
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

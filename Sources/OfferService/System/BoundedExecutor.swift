import Glibc
import NIOCore
import Synchronization

/// Runs asynchronous operations on its own threads, up to a maximum number.
///
/// An operation beyond that number is refused at once.
/// It is for long work and for what unauthenticated clients send, so that other work does not have to wait for them.
package final class BoundedExecutor: TaskExecutor {
    private let jobs = JobQueue()
    private let limit: Int
    private let refusal: any Error
    private let underWay = Atomic(0)

    /// - Parameters:
    ///   - limit: the maximum number of operations, including those that wait for a thread or for the store.
    ///   - niceness: the nice value of the threads (0...19).
    ///   - refusal: the error that an operation beyond the limit throws.
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

    /// Counts an operation as begun, or throws if it is beyond the limit. `leave` counts it as ended.
    package func enter() throws {
        guard underWay.add(1, ordering: .relaxed).newValue <= limit else {
            underWay.subtract(1, ordering: .relaxed)
            throw refusal
        }
    }

    /// Counts an operation as ended.
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

/// The jobs that wait, in their order. The queue also has the threads that run them.
final class JobQueue: Sendable {
    // Unsafe: the object is made for use by many threads.
    nonisolated(unsafe) private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    // Unsafe: the object is made for use by many threads.
    nonisolated(unsafe) private let isWanted = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    // Unsafe: this and the next property are used only while the lock is held.
    nonisolated(unsafe) private var jobs = CircularBuffer<@Sendable () -> Void>()
    nonisolated(unsafe) private var isClosed = false

    init() {
        lock.initialize(to: pthread_mutex_t())
        pthread_mutex_init(lock, nil)
        isWanted.initialize(to: pthread_cond_t())
        pthread_cond_init(isWanted, nil)
    }

    deinit {
        pthread_cond_destroy(isWanted)
        isWanted.deallocate()
        pthread_mutex_destroy(lock)
        lock.deallocate()
    }

    /// Appends a job.
    func append(_ job: @escaping @Sendable () -> Void) {
        pthread_mutex_lock(lock)
        jobs.append(job)
        pthread_mutex_unlock(lock)
        pthread_cond_signal(isWanted)
    }

    /// Lets the threads end as soon as no job is left.
    func close() {
        pthread_mutex_lock(lock)
        isClosed = true
        pthread_mutex_unlock(lock)
        pthread_cond_broadcast(isWanted)
    }

    /// Starts a thread that runs jobs until the queue is closed.
    func startThread(niceness: Int32) {
        let start = Unmanaged.passRetained(Start(queue: self, niceness: niceness))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { start in
                Unmanaged<Start>.fromOpaque(start!).takeRetainedValue().run()
                return nil
            }, start.toOpaque())
        precondition(code == 0, "no thread can be started: \(code)")
        pthread_detach(thread)
    }

    private final class Start {
        let queue: JobQueue
        let niceness: Int32

        init(queue: JobQueue, niceness: Int32) {
            self.queue = queue
            self.niceness = niceness
        }

        func run() {
            // On Linux the nice value belongs to the thread, and every thread may raise its own.
            if niceness > 0 { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness) }
            while let job = queue.next() { job() }
        }
    }

    private func next() -> (@Sendable () -> Void)? {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        while jobs.isEmpty, !isClosed { pthread_cond_wait(isWanted, lock) }
        return jobs.popFirst()
    }
}

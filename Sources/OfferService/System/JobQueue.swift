import Glibc
import NIOCore

/// Jobs in their order, and the threads that run them.
final class JobQueue: Sendable {
    // Unsafe: made for use by many threads.
    nonisolated(unsafe) private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    // Unsafe: made for use by many threads.
    nonisolated(unsafe) private let isWanted = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    // Unsafe: reached only while the lock is held, like the next property.
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

    /// Lets the threads end once no job is left.
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
            // On Linux this is the thread's own value, which may always be raised.
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

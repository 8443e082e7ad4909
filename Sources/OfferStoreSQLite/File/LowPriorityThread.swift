import Glibc
import Synchronization

/// A thread that leaves the processor to threads of usual priority.
enum LowPriorityThread {
    // Under a full load it gets about a tenth of a processor.
    private static let niceness: Int32 = 10

    private final class Job: Sendable {
        let body: @Sendable () throws -> Void
        let failure = Mutex<(any Error)?>(nil)

        init(_ body: @escaping @Sendable () throws -> Void) { self.body = body }
    }

    /// Runs something on such a thread, and waits for it. If no thread can be started, the caller's runs it.
    static func run(_ body: @escaping @Sendable () throws -> Void) throws {
        let job = Job(body)
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { job in
                // On Linux this is the thread's own value, which may always be raised.
                setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, LowPriorityThread.niceness)
                let job = Unmanaged<Job>.fromOpaque(job!).takeUnretainedValue()
                do { try job.body() } catch { job.failure.withLock { $0 = error } }
                return nil
            }, Unmanaged.passUnretained(job).toOpaque())
        guard code == 0 else { return try body() }
        pthread_join(thread, nil)
        if let error = job.failure.withLock({ $0 }) { throw error }
    }
}

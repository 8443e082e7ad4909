import Glibc
import Synchronization

/// A thread that leaves the processor to threads of usual priority.
enum LowPriorityThread {
    // Under a full load it gets about a tenth of a processor.
    private static let niceness: Int32 = 10

    private final class Job {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    private final class Outcome<Value: Sendable>: Sendable {
        let result = Mutex<Result<Value, any Error>?>(nil)
    }

    /// Runs `body` on a thread of low priority, and waits for it.
    ///
    /// If no thread can be started, the caller's thread runs it.
    ///
    /// - Parameter body: must not start other work, such as a dispatch: threads that begin then keep the low priority for good.
    static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
        let outcome = Outcome<Value>()
        wait(for: Job { outcome.result.withLock { $0 = Result(catching: body) } })
        return try outcome.result.withLock { $0! }.get()
    }

    private static func wait(for job: Job) {
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { job in
                // On Linux this is the thread's own value, which may always be raised.
                setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, LowPriorityThread.niceness)
                Unmanaged<Job>.fromOpaque(job!).takeUnretainedValue().body()
                return nil
            }, Unmanaged.passUnretained(job).toOpaque())
        if code == 0 { pthread_join(thread, nil) } else { job.body() }
    }
}

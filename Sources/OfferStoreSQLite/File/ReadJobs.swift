import Dispatch
import GRDB
import Glibc
import OfferStore
import Synchronization

/// Jobs that read, in their order, and the threads that run them, each with a connection.
final class ReadJobs: Sendable {
    /// Receives the connection, or why there is none.
    typealias Job = @Sendable (Result<DatabaseQueue, any Error>) -> Void

    private struct State {
        var waiting: [Job] = []
        var (threads, idle) = (0, 0)
        var isClosed = false
    }

    private let path: String
    private let configuration: Configuration
    private let count: Int
    private let niceness: Int32
    private let state = Mutex(State())
    /// Signalled once for each job, and at the end once for each thread.
    private let wanted = DispatchSemaphore(value: 0)
    private let threads = DispatchGroup()

    init(path: String, _ configuration: Configuration, count: Int, niceness: Int32) {
        (self.path, self.configuration, self.count, self.niceness) = (path, configuration, count, niceness)
    }

    /// Adds a job, and starts another thread if none is free.
    func append(_ job: @escaping Job) {
        let (isClosed, startsThread) = state.withLock { state in
            guard !state.isClosed else { return (true, false) }
            state.waiting.append(job)
            guard state.waiting.count > state.idle, state.threads < count else { return (false, false) }
            state.threads += 1
            return (false, true)
        }
        guard !isClosed else { return job(.failure(StoreError(.unavailable, "the store is closed"))) }
        wanted.signal()
        if startsThread { start() }
    }

    /// Lets the threads end once no job is left.
    func close() {
        let count = state.withLock { state in
            guard !state.isClosed else { return 0 }
            state.isClosed = true
            return state.threads
        }
        for _ in 0..<count { wanted.signal() }
    }

    /// Waits until the threads have ended.
    func waitForEnd() { threads.wait() }

    private func start() {
        threads.enter()
        let jobs = Unmanaged.passRetained(self)
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { jobs in
                Unmanaged<ReadJobs>.fromOpaque(jobs!).takeRetainedValue().work()
                return nil
            }, jobs.toOpaque())
        guard code != 0 else {
            pthread_detach(thread)
            return
        }
        jobs.release()
        threads.leave()
        failWithoutThread(code)
    }

    /// Fails the waiting jobs if there is no thread that could run them.
    private func failWithoutThread(_ code: Int32) {
        let left = state.withLock { state in
            state.threads -= 1
            defer { if state.threads == 0 { state.waiting = [] } }
            return state.threads == 0 ? state.waiting : []
        }
        for job in left {
            wanted.wait()
            job(.failure(StoreError(.unavailable, "no thread can be started: \(String(cString: strerror(code)))")))
        }
    }

    private func work() {
        // On Linux this is the thread's own value, which may always be raised.
        if niceness > 0 { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness) }
        var connection: DatabaseQueue?
        while let job = next() {
            job(
                Result {
                    if let connection { return connection }
                    let new = try DatabaseQueue(path: path, configuration: configuration)
                    connection = new
                    return new
                })
        }
        try? connection?.close()
        threads.leave()
    }

    /// The next job; nil at the end.
    private func next() -> Job? {
        state.withLock { $0.idle += 1 }
        wanted.wait()
        return state.withLock { state in
            state.idle -= 1
            return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
        }
    }
}

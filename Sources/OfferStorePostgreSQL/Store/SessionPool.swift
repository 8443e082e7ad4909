import Synchronization

/// A pool of threads with sessions. A free thread takes the next job.
final class SessionPool: Sendable {
    private typealias Job = @Sendable (SessionThread) -> Void

    private struct State {
        var idle: [SessionThread]
        var jobs: [Job] = []
    }

    private let threads: [SessionThread]
    private let state: Mutex<State>

    init(_ address: String, label: String, count: Int, apps: AppNumbers, whenOpened: @escaping @Sendable (Session) throws -> Void)
    {
        let threads = (0..<count).map {
            SessionThread(address, label: "\(label).\($0)", isReader: true, apps: apps, whenOpened: whenOpened)
        }
        self.threads = threads
        state = Mutex(State(idle: threads))
    }

    /// Calls `body` on one of the threads, in the order of calls.
    func async(_ body: @escaping @Sendable (SessionThread) -> Void) {
        let thread = state.withLock { state in
            state.jobs.append(body)
            return state.idle.popLast()
        }
        thread?.async { [self] in drain($0) }
    }

    private func drain(_ thread: SessionThread) {
        while let job = next(or: thread) { job(thread) }
    }

    private func next(or thread: SessionThread) -> Job? {
        state.withLock { state in
            guard state.jobs.isEmpty else { return state.jobs.removeFirst() }
            state.idle.append(thread)
            return nil
        }
    }

    /// Waits for running jobs, and ends the sessions.
    func close() { for thread in threads { thread.close() } }
}

import Synchronization

/// A count that goes on until it is done or cancelled, even if no caller waits for it.
final class CountingJob<Report: Sendable>: Sendable {
    private struct State {
        var progress = CountingProgress(done: 0, total: nil)
        var result: Result<Report, any Error>?
        var endedAt: ContinuousClock.Instant?
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var nextWaiting = 0
    }

    private let state = Mutex(State())
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// Starts the count as soon as another job has ended.
    ///
    /// - Parameter count: receives a closure that reports progress.
    func start(
        after other: CountingJob<Report>?,
        on executor: BoundedExecutor,
        _ count: @escaping @Sendable (@escaping @Sendable (CountingProgress) -> Void) async throws -> Report
    ) {
        let task = Task(executorPreference: executor) { [self] in
            await other?.ended()
            let result: Result<Report, any Error>
            do {
                try Task.checkCancellation()
                result = .success(try await count { progress in self.state.withLock { $0.progress = progress } })
            } catch { result = .failure(error) }
            finish(result)
        }
        self.task.withLock { $0 = task }
    }

    var progress: CountingProgress { state.withLock { $0.progress } }

    /// The result; nil while the job goes on.
    var result: Result<Report, any Error>? { state.withLock { $0.result } }

    /// When the job ended; nil while it goes on.
    var endedAt: ContinuousClock.Instant? { state.withLock { $0.endedAt } }

    /// Cancels the job, which ends as soon as it can.
    func cancel() { task.withLock { $0 }?.cancel() }

    /// Waits until the job has ended, but no longer than `patience`.
    func ended(within patience: Duration? = nil) async {
        await withCheckedContinuation { continuation in
            let number: Int? = state.withLock { state in
                guard state.result == nil else { return nil }
                state.nextWaiting += 1
                state.waiting[state.nextWaiting] = continuation
                return state.nextWaiting
            }
            guard let number else { return continuation.resume() }
            guard let patience else { return }
            Task {
                try? await Task.sleep(for: patience)
                state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
            }
        }
    }

    private func finish(_ result: Result<Report, any Error>) {
        let waiting = state.withLock { state in
            (state.result, state.endedAt) = (result, .now)
            defer { state.waiting = [:] }
            return state.waiting.values.map(\.self)
        }
        for continuation in waiting { continuation.resume() }
    }
}

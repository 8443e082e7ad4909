import Synchronization

/// A look at what has changed, shared by all calls that come before it begins.
final class SharedLook: Sendable {
    private struct State {
        var last = ContinuousClock.now
        /// The look that has not begun.
        var next: Task<Void, any Error>?
    }

    /// The minimum time between two looks.
    private static let minGap = Duration.milliseconds(20)

    private let state = Mutex(State())

    /// Waits for a look that begins after this call.
    func share(_ look: @escaping @Sendable () async throws -> Void) async throws {
        let task = state.withLock { state in
            if let next = state.next { return next }
            let start = state.last + Self.minGap
            let task = Task {
                try await Task.sleep(until: start, clock: .continuous)
                self.state.withLock { state in
                    state.next = nil
                    state.last = .now
                }
                try await look()
            }
            state.next = task
            return task
        }
        try await task.value
    }
}

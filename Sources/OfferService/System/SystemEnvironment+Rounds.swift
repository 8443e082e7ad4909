import ServiceLifecycle

extension SystemEnvironment {
    /// Repeats a round of work until the service stops, which cuts the last one off.
    ///
    /// - Parameters:
    ///   - state: what one round tells the next.
    ///   - round: does the work, and returns how long to rest.
    /// - Returns: what the last round has told.
    @discardableResult
    func rounds<State: Sendable>(
        _ state: State,
        _ round: @escaping @Sendable (inout State) async -> Duration
    ) async -> State {
        await cancelWhenGracefulShutdown {
            var state = state
            while !Task.isCancelled {
                let rest = await round(&state)
                if rest > .zero { try? await sleep(rest) }
            }
            return state
        }
    }

    /// Repeats a round of work until the service stops, which cuts the last one off.
    ///
    /// - Parameter round: does the work, and returns how long to rest.
    package func rounds(_ round: @escaping @Sendable () async -> Duration) async {
        await rounds(()) { _ in await round() }
    }

    /// Repeats a round of work until the service stops, first after one pause.
    package func rounds(after pause: Duration, _ round: @escaping @Sendable () async -> Void) async {
        await rounds(true) { isFirst in
            if !isFirst { await round() }
            isFirst = false
            return pause
        }
    }
}

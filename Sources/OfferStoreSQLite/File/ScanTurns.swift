import Synchronization

/// Limits the number of concurrent scans, so that other readers stay free for quick reads, such as that of a revocation.
final class ScanTurns: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    /// - Parameter count: maximum number of concurrent scans.
    init(_ count: Int) { state = Mutex(State(free: count)) }

    /// Waits for a turn, in the order of calls.
    func take() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.free > 0 {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    /// Passes the turn to the next waiter, or returns it.
    func release() {
        let next = state.withLock { state in
            guard state.waiting.isEmpty else { return Optional(state.waiting.removeFirst()) }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}

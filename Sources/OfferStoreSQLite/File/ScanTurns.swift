import Synchronization

/// Lets a limited number of scans use a file's readers at a time: the other readers stay free for quick reads, such as that of a revocation.
final class ScanTurns: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    /// - Parameter count: scans at a time.
    init(_ count: Int) { state = Mutex(State(free: count)) }

    /// Waits for a turn; the first to wait goes first.
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

    /// Gives the turn to the next, or back.
    func giveBack() {
        let next = state.withLock { state in
            guard state.waiting.isEmpty else { return Optional(state.waiting.removeFirst()) }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}

import EligibilityRules
import Synchronization

/// One host's `CircuitState`, for concurrent callers.
final class CircuitBreaker: Sendable {
    private let state: Mutex<CircuitState>

    /// Starts closed.
    init(_ state: CircuitState) { self.state = Mutex(state) }

    /// Throws if the host must not be asked.
    func admit(at now: Instant) throws(AppStoreError) {
        let refusedUntil: Instant? = state.withLock { $0.admit(at: now) ? nil : $0.openUntil }
        guard let refusedUntil else { return }
        throw AppStoreError(
            .circuitOpen, "the App Store failed repeatedly; the service waits before it asks again", retryAt: refusedUntil)
    }

    /// Records that the host has answered.
    func noteSuccess() { state.withLock { $0.noteSuccess() } }

    /// Records that the host has failed.
    func noteFailure(at now: Instant) { state.withLock { $0.noteFailure(at: now) } }
}

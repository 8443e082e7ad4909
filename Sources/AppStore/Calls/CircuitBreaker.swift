import EligibilityRules
import Synchronization

/// One host's `CircuitState`, for any number of callers.
final class CircuitBreaker: Sendable {
    private let state: Mutex<CircuitState>

    /// Starts closed.
    init(_ state: CircuitState) { self.state = Mutex(state) }

    /// Throws if the host is to be left alone.
    func admit(at now: Instant) throws(AppStoreError) {
        let refusedUntil: Instant? = state.withLock { $0.admit(at: now) ? nil : $0.openUntil }
        guard let refusedUntil else { return }
        throw AppStoreError(.circuitOpen, "the App Store has failed repeatedly and is left alone", retryAt: refusedUntil)
    }

    /// The host has answered.
    func noteSuccess() { state.withLock { $0.noteSuccess() } }

    /// The host has failed.
    func noteFailure(at now: Instant) { state.withLock { $0.noteFailure(at: now) } }
}

package import EligibilityRules
package import OfferSigning
package import OfferStore
import Synchronization

/// The key ring in force; a rotation swaps the whole snapshot.
package final class KeyRingHolder: ChangeFollower {
    private struct State {
        var ring: KeyRing
        var loadedAt: Instant
        var revision: Int64
    }

    private let state: Mutex<State>
    private let store: any KeyStore
    private let system: SystemEnvironment
    private let load: @Sendable ([KeyDecision]) throws -> KeyRing

    package let topic = ChangeTopic.keys
    package let complaint = "signing keys cannot be read again"

    /// - Parameters:
    ///   - revision: that of the ring, or an earlier one.
    ///   - load: reads the key folder again, for the same apps.
    package init(
        _ ring: KeyRing,
        revision: Int64 = 0,
        store: any KeyStore,
        system: SystemEnvironment,
        load: @escaping @Sendable ([KeyDecision]) throws -> KeyRing
    ) {
        state = Mutex(State(ring: ring, loadedAt: system.now(), revision: revision))
        self.store = store
        self.system = system
        self.load = load
    }

    package var current: KeyRing { state.withLock(\.ring) }

    /// When the keys in force were loaded.
    package var loadedAt: Instant { state.withLock(\.loadedAt) }

    /// Swaps the ring. Where the folder cannot be read, the old one keeps signing, but not with what has been revoked; and it is tried
    /// again.
    package func follow(_ revision: Int64) async throws {
        guard revision != state.withLock(\.revision) else { return }
        let decisions = try await store.keyDecisions()
        do {
            let ring = try load(decisions)
            state.withLock { $0 = State(ring: ring, loadedAt: system.now(), revision: revision) }
        } catch {
            let ring = try current.revoking(by: decisions)
            state.withLock { $0.ring = ring }
            throw error
        }
    }
}

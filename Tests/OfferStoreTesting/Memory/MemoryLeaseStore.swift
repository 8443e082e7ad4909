package import EligibilityRules
package import OfferStore
import Synchronization

/// Leases and progress that are forgotten with the process.
package final class MemoryLeaseStore: LeaseStore, ProgressStore {
    private struct State {
        var leases: [String: (holder: String, end: Instant)] = [:]
        var progress: [ExactText: String] = [:]
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> Instant

    /// An empty one.
    package init(now: @escaping @Sendable () -> Instant) { self.now = now }

    package func acquire(_ name: String, holder: String, milliseconds: Int64) async throws(StoreError) -> Bool {
        let now = now()
        return state.withLock { state in
            if let lease = state.leases[name], lease.holder != holder, lease.end > now { return false }
            state.leases[name] = (holder, now.advanced(by: milliseconds))
            return true
        }
    }

    package func release(_ name: String, holder: String) async throws(StoreError) {
        state.withLock { state in
            if state.leases[name]?.holder == holder { state.leases[name] = nil }
        }
    }

    package func progress(_ name: String) async throws(StoreError) -> String? {
        state.withLock { $0.progress[ExactText(name)] }
    }

    package func setProgress(_ name: String, to value: String) async throws(StoreError) {
        state.withLock { $0.progress[ExactText(name)] = value }
    }
}

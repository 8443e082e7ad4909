import OfferStore
import Synchronization

/// The exposures that this process has recorded lately: the same one again would tell nothing new, and need not be written.
package final class ExposureMemory: Sendable {
    /// Two generations of hashes: what the older one has and nobody has asked for goes with it.
    private struct State {
        var current: Set<UInt64> = []
        var previous: Set<UInt64> = []
    }

    private let capacity: Int
    private let state = Mutex(State())

    /// - Parameter capacity: how many a generation has; the default takes some 16 MB in all once it is full.
    package init(capacity: Int = 1 << 19) { self.capacity = capacity }

    /// Whether the same unit was recorded with the same variant of the campaign, of any revision.
    func isKnown(_ exposure: Exposure) -> Bool {
        let key = Self.key(of: exposure)
        return state.withLock { state in
            if state.current.contains(key) { return true }
            guard state.previous.contains(key) else { return false }
            insert(key, &state)
            return true
        }
    }

    /// Notes what is durable.
    func note(_ exposures: [Exposure]) {
        guard !exposures.isEmpty else { return }
        state.withLock { state in
            for exposure in exposures { insert(Self.key(of: exposure), &state) }
        }
    }

    private func insert(_ key: UInt64, _ state: inout State) {
        if state.current.count >= capacity { state = State(current: [], previous: state.current) }
        state.current.insert(key)
    }

    // Seeded anew in each process: nobody can choose units that look alike.
    private static func key(of exposure: Exposure) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(exposure.bundleID)
        hasher.combine(exposure.campaign)
        hasher.combine(exposure.variant)
        hasher.combine(exposure.unitKind)
        hasher.combine(exposure.unit)
        hasher.combine(exposure.isRehearsal)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}

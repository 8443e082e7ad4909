import OfferStore
import Synchronization

/// The exposures that this process has recorded lately.
///
/// If such an exposure occurs again, it need not be written again, because it adds nothing to the results.
package final class ExposureMemory: Sendable {
    private let known: Mutex<TwoGenerations<Void>>

    /// - Parameter capacity: the number of entries in a generation (`TwoGenerations`). With the default the memory takes some 16
    ///   MB in all once it is full.
    package init(capacity: Int = 1 << 19) { known = Mutex(TwoGenerations(capacity: capacity)) }

    /// Whether the same unit was recorded with the same variant of the campaign, under any of its revisions.
    func isKnown(_ exposure: Exposure) -> Bool {
        let key = Self.key(of: exposure)
        return known.withLock { $0.value(of: key) != nil }
    }

    /// Remembers exposures that the store has written durably.
    func note(_ exposures: [Exposure]) {
        guard !exposures.isEmpty else { return }
        known.withLock { known in
            for exposure in exposures { known.insert((), Self.key(of: exposure)) }
        }
    }

    // The hash has another seed in each process, so that clients cannot choose units whose keys collide.
    private static func key(of exposure: Exposure) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(exposure.arm.partition)
        hasher.combine(exposure.arm.campaign)
        hasher.combine(exposure.arm.variant)
        hasher.combine(exposure.arm.unitKind)
        hasher.combine(exposure.unit)
        hasher.combine(exposure.isRehearsal)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}

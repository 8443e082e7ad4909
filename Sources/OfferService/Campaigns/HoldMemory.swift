import EligibilityRules
import OfferStore
import Synchronization

/// Remembers which campaign of an exclusion group holds a unit that another wanted, so that the store need not report it again.
///
/// Units that the wanting campaign holds itself are not in it.
/// A hold is never released, so an entry is true while its campaign holds.
final class HoldMemory: Sendable {
    private let holders: Mutex<TwoGenerations<ExactText>>

    /// - Parameter capacity: the size of a generation.
    init(capacity: Int = 1 << 17) { holders = Mutex(TwoGenerations(capacity: capacity)) }

    /// The campaign that holds a unit; nil if it is not known.
    func holder(of unit: String, _ kind: BucketingUnit, in group: String, _ partition: AppPartition) -> ExactText? {
        holders.withLock { $0.isEmpty ? nil : $0.value(of: Self.key(unit, kind, group, partition)) }
    }

    /// Remembers a holder that the store has reported.
    func note(_ holder: ExactText, of unit: String, _ kind: BucketingUnit, in group: String, _ partition: AppPartition) {
        holders.withLock { $0.insert(holder, Self.key(unit, kind, group, partition)) }
    }

    private static func key(_ unit: String, _ kind: BucketingUnit, _ group: String, _ partition: AppPartition) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(partition)
        hasher.combine(group)
        hasher.combine(kind)
        hasher.combine(unit)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}

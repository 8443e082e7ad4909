import EligibilityRules
import OfferStore
import Synchronization

/// Of units that a campaign of an exclusion group wanted and another one holds, which that is: the store need not say it again.
///
/// Who is where they belong is not in it. A hold is never given back, so that what stands here is true for as long as its campaign holds.
final class HoldMemory: Sendable {
    private let holders: Mutex<TwoGenerations<ExactText>>

    /// - Parameter capacity: how many a generation has.
    init(capacity: Int = 1 << 17) { holders = Mutex(TwoGenerations(capacity: capacity)) }

    /// The campaign that holds a unit; nil if that is not known.
    func holder(of unit: String, _ kind: BucketingUnit, in group: String, _ partition: AppPartition) -> ExactText? {
        holders.withLock { $0.isEmpty ? nil : $0.value(of: Self.key(unit, kind, group, partition)) }
    }

    /// Notes what the store has said.
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

import EligibilityRules
import OfferStore
import Synchronization

/// Of units that a campaign of an exclusion group wanted and another one holds, which that is: the store need not say it again.
///
/// Who is where they belong is not in it. A hold is never given back, so that what stands here is true for as long as its campaign holds.
final class HoldMemory: Sendable {
    /// Two generations, as exposures have them.
    private struct State {
        var current: [UInt64: ExactText] = [:]
        var previous: [UInt64: ExactText] = [:]
    }

    private let capacity: Int
    private let state = Mutex(State())

    /// - Parameter capacity: how many a generation has.
    init(capacity: Int = 1 << 17) { self.capacity = capacity }

    /// The campaign that holds a unit; nil if that is not known.
    func holder(of unit: String, _ kind: BucketingUnit, in group: String, _ partition: String) -> ExactText? {
        state.withLock { state in
            guard !state.current.isEmpty || !state.previous.isEmpty else { return nil }
            let key = Self.key(unit, kind, group, partition)
            if let holder = state.current[key] { return holder }
            guard let holder = state.previous[key] else { return nil }
            insert(holder, key, &state)
            return holder
        }
    }

    /// Notes what the store has said.
    func note(_ holder: ExactText, of unit: String, _ kind: BucketingUnit, in group: String, _ partition: String) {
        state.withLock { insert(holder, Self.key(unit, kind, group, partition), &$0) }
    }

    private func insert(_ holder: ExactText, _ key: UInt64, _ state: inout State) {
        if state.current.count >= capacity { state = State(current: [:], previous: state.current) }
        state.current[key] = holder
    }

    private static func key(_ unit: String, _ kind: BucketingUnit, _ group: String, _ partition: String) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(partition)
        hasher.combine(group)
        hasher.combine(kind)
        hasher.combine(unit)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}

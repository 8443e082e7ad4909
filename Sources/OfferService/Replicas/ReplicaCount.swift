import Synchronization

/// The number of replicas that share a rate, which each of them counts for itself.
package final class ReplicaCount: Sendable {
    private let count = Atomic<Int64>(1)

    /// One, until more are known.
    package init() {}

    package var value: Int64 { count.load(ordering: .relaxed) }

    func set(_ value: Int) { count.store(max(1, Int64(value)), ordering: .relaxed) }
}

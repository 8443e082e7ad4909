import Synchronization

/// How much of its rate one caller has used: the theoretical arrival time of GCRA, in ns.
package final class RateState: Sendable {
    let arrival = Atomic<Int64>(0)

    /// The state of a caller that has used nothing.
    package init() {}

    /// Whether it is like the state of a caller that has used nothing.
    ///
    /// - Parameter now: ns of the clock by which requests are admitted.
    func isWhole(at now: Int64) -> Bool { arrival.load(ordering: .relaxed) <= now }
}

import Synchronization

/// How much of its rate one caller has used: the theoretical arrival time of GCRA, in ns.
package final class RateState: Sendable {
    let arrival = Atomic<Int64>(0)

    /// Of somebody who has used nothing.
    package init() {}

    /// Whether it is like one of somebody who has used nothing.
    ///
    /// - Parameter now: ns, by the clock that requests are admitted by.
    func isWhole(at now: Int64) -> Bool { arrival.load(ordering: .relaxed) <= now }
}

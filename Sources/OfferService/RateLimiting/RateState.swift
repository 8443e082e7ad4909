import Synchronization

/// How much of its rate one caller has used: the theoretical arrival time of GCRA, in ns.
package final class RateState: Sendable {
    let arrival = Atomic<Int64>(0)
    /// The interval of the limit that was charged last; 0 for none.
    private let interval = Atomic<Int64>(0)

    /// The state of a caller that has used nothing.
    package init() {}

    /// Counts in intervals of a limit from now on.
    ///
    /// What is used is a number of requests. If the limit has changed since, these take another time: without this, a rate that was
    /// raised would go on refusing its callers until their debt at the old rate is over.
    func use(_ new: Int64, at now: Int64) {
        guard interval.load(ordering: .relaxed) != new else { return }
        let old = interval.exchange(new, ordering: .relaxed)
        let used = arrival.load(ordering: .relaxed)
        guard old != 0, old != new, used > now else { return }
        let time = Int64(Double(used - now) * Double(new) / Double(old))
        _ = arrival.compareExchange(expected: used, desired: now + time, ordering: .relaxed)
    }

    /// Whether it is like the state of a caller that has used nothing.
    ///
    /// - Parameter now: ns of the clock by which requests are admitted.
    func isWhole(at now: Int64) -> Bool { arrival.load(ordering: .relaxed) <= now }
}

import Synchronization

/// How much of its rate one caller has used, as the theoretical arrival time of GCRA in ns.
package final class RateState: Sendable {
    let arrival = Atomic<Int64>(0)
    /// The interval of the limit that was last charged; 0 if nothing was charged yet.
    private let interval = Atomic<Int64>(0)

    /// The state of a caller that has used nothing.
    package init() {}

    /// From now on counts in intervals of another limit.
    ///
    /// What a caller has used is a number of requests. After a change of the limit the same number of requests stands for another
    /// time.
    /// Without this, a caller whose rate was raised would still be refused until the time at the old rate is over.
    func use(_ new: Int64, at now: Int64) {
        guard interval.load(ordering: .relaxed) != new else { return }
        let old = interval.exchange(new, ordering: .relaxed)
        let used = arrival.load(ordering: .relaxed)
        guard old != 0, old != new, used > now else { return }
        let time = Int64(Double(used - now) * Double(new) / Double(old))
        _ = arrival.compareExchange(expected: used, desired: now + time, ordering: .relaxed)
    }

    /// Whether the caller has nothing left that counts against its rate, like one that has sent no request.
    ///
    /// - Parameter now: the time by the clock by which requests are admitted, in ns.
    func isWhole(at now: Int64) -> Bool { arrival.load(ordering: .relaxed) <= now }
}

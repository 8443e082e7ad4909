import Synchronization

/// How much of its rate one caller has used: the theoretical arrival time of GCRA, in ns.
final class RateState: Sendable {
    let arrival = Atomic<Int64>(0)
}

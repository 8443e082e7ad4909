import Synchronization

/// What of their rate customers have used, each for themselves.
///
/// Bounded, and nothing is lost by it as a rule: who has used nothing lately is like somebody who was never here.
final class EndUserRates: Sendable {
    private let capacity: Int
    private let clock: @Sendable () -> Int64
    private let states = Mutex<[String: RateState]>([:])

    /// - Parameter clock: ns, by which requests are admitted.
    init(capacity: Int, clock: @escaping @Sendable () -> Int64) {
        self.capacity = capacity
        self.clock = clock
    }

    /// That of a customer, by the caller's id.
    func state(of id: String) -> RateState {
        states.withLock { states in
            if let state = states[id] { return state }
            if states.count >= capacity {
                let now = clock()
                states = states.filter { !$0.value.isWhole(at: now) }
                // So many at once: looking through them for each that comes would cost more than the rate protects.
                if states.count > capacity / 2 { states = [:] }
            }
            let state = RateState()
            states[id] = state
            return state
        }
    }
}

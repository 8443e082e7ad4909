import Synchronization

/// The rate that each customer has used.
///
/// Bounded. As a rule nothing is lost by it: a customer without recent requests is like a new one.
final class EndUserRates: Sendable {
    private let capacity: Int
    private let clock: @Sendable () -> Int64
    private let states = Mutex<[String: RateState]>([:])

    /// - Parameter clock: ns of the clock by which requests are admitted.
    init(capacity: Int, clock: @escaping @Sendable () -> Int64) {
        self.capacity = capacity
        self.clock = clock
    }

    /// The state of a customer, by the caller's id.
    func state(of id: String) -> RateState {
        states.withLock { states in
            if let state = states[id] { return state }
            if states.count >= capacity {
                let now = clock()
                states = states.filter { !$0.value.isWhole(at: now) }
                // With so many at once, searching them for each new one would cost more than the rate protects.
                if states.count > capacity / 2 { states = [:] }
            }
            let state = RateState()
            states[id] = state
            return state
        }
    }
}

import EligibilityRules
import Synchronization

/// A limit on the rate of requests that allows bursts. It uses the generic cell rate algorithm (GCRA), which needs one number for
/// each caller and no timers.
package struct RateLimit: Equatable, Sendable {
    /// The decision about one request.
    package struct Decision: Equatable, Sendable {
        package let isAllowed: Bool
        /// How many more requests would be allowed at once.
        package let remaining: Int64
        /// Whole seconds until the caller can send a whole burst again.
        package let resetSeconds: Int64
        /// Whole seconds until a next request is allowed; 0 if this one is allowed.
        package let retryAfterSeconds: Int64
        /// The limit by which the request was decided.
        package let limit: RateLimit
    }

    private static let second: Int64 = 1_000_000_000

    package let burst: Int64
    /// The number of seconds after which a caller that has used a whole burst can send another one.
    package let windowSeconds: Int64
    private let interval: Int64

    package init(requestsPerSecond: Int64, burst: Int64) {
        self.init(interval: RateLimit.second / requestsPerSecond, burst: burst)
    }

    package init(requestsPerMinute: Int64, burst: Int64) {
        self.init(interval: 60 * RateLimit.second / requestsPerMinute, burst: burst)
    }

    private init(interval: Int64, burst: Int64) {
        self.burst = burst
        self.interval = max(1, interval)
        windowSeconds = RateLimit.seconds(self.interval * burst)
    }

    /// Charges one request to the caller's rate. If the rate is used up, it refuses the request and charges nothing.
    ///
    /// - Parameters:
    ///   - now: the time by a monotonic clock, in ns.
    ///   - cost: how many ordinary requests this request counts for. If it costs more than a burst, it is admitted only if the
    ///     whole burst is available, and the caller then waits longer for the next one.
    ///   - needed: for how many ordinary requests there must be room; nil if it is as many as this request counts for.
    ///   - replicas: how many replicas share the rate. Each replica charges a request that many times, as if every replica had
    ///     received the same request.
    package func admit(
        _ state: RateState,
        now: Int64,
        cost: Int64 = 1,
        needed: Int64? = nil,
        replicas: Int64 = 1
    ) -> Decision {
        state.use(interval, at: now)
        let tolerance = interval * burst
        let (price, needed) = (interval * cost * replicas, interval * min((needed ?? cost) * replicas, burst))
        var arrival = state.arrival.load(ordering: .relaxed)
        while true {
            let start = max(arrival, now)
            guard start + needed - now <= tolerance else {
                let wait = start + needed - now - tolerance
                return Decision(
                    isAllowed: false,
                    remaining: 0,
                    resetSeconds: RateLimit.seconds(arrival - now),
                    retryAfterSeconds: max(1, RateLimit.seconds(wait)),
                    limit: self
                )
            }
            let next = start + price
            let (exchanged, original) = state.arrival.compareExchange(
                expected: arrival, desired: next, ordering: .relaxed)
            if exchanged {
                return Decision(
                    isAllowed: true,
                    remaining: max(0, tolerance - (next - now)) / (interval * replicas),
                    resetSeconds: RateLimit.seconds(next - now),
                    retryAfterSeconds: 0,
                    limit: self
                )
            }
            arrival = original
        }
    }

    private static func seconds(_ nanoseconds: Int64) -> Int64 { max(0, (nanoseconds + second - 1) / second) }
}

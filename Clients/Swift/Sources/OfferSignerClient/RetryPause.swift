import Foundation

/// The pause before a request is repeated.
enum RetryPause {
    /// The statuses after which the same request may succeed a little later.
    static let repeatable: Set<Int> = [429, 500, 502, 503, 504]

    /// Converts seconds into nanoseconds, and limits them to a day, because `UInt64` could not hold an arbitrary number.
    static func nanoseconds(_ seconds: TimeInterval) -> UInt64 { UInt64(min(max(seconds, 0), 86_400) * 1_000_000_000) }

    /// Returns how long to wait before the next request. The pause is 0.25 s after the first request and doubles after each
    /// further one, with a random deviation of up to 20 %. If the answer's `Retry-After` asks for a longer pause, that is
    /// returned.
    ///
    /// - Parameter attempt: the number of requests so far, so 1 after the first.
    static func seconds(after attempt: Int, retryAfter: String?) -> TimeInterval {
        let doubled = 0.25 * pow(2, Double(attempt - 1)) * .random(in: 0.8...1.2)
        return max(doubled, retryAfter.flatMap(UInt32.init).map(TimeInterval.init) ?? 0)
    }
}

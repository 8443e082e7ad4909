import Foundation

/// The pause before a request is repeated.
enum RetryPause {
    /// Statuses of answers that a later, equal request may improve.
    static let repeatable: Set<Int> = [429, 500, 502, 503, 504]

    /// Returns seconds in nanoseconds, at most a day.
    static func nanoseconds(_ seconds: TimeInterval) -> UInt64 { UInt64(min(max(seconds, 0), 86_400) * 1_000_000_000) }

    /// Returns `Retry-After` where it is longer, else 0.25 s, doubled each time, ± 20 %.
    ///
    /// - Parameter attempt: 1 after the first request.
    static func seconds(after attempt: Int, retryAfter: String?) -> TimeInterval {
        let doubled = 0.25 * pow(2, Double(attempt - 1)) * .random(in: 0.8...1.2)
        return max(doubled, retryAfter.flatMap(UInt32.init).map(TimeInterval.init) ?? 0)
    }
}

/// When an attempt that failed is followed by another: the schedule that Standard Webhooks recommends.
enum EventRetries {
    /// The waits after the first attempt, the second and so on, in seconds.
    static let waits: [Int64] = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]

    /// Returns how long to wait after some attempts, in ms; nil: there is no other.
    ///
    /// - Parameter jitter: from 0 to 1: by how much the wait is changed, from 10 % less to 10 % more.
    static func wait(after attempts: Int, jitter: Double) -> Int64? {
        guard attempts <= waits.count else { return nil }
        return Int64(Double(waits[max(attempts, 1) - 1] * 1000) * (0.9 + 0.2 * jitter))
    }
}

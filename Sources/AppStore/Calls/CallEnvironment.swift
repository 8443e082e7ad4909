public import EligibilityRules

/// What calls to the App Store need from outside: the clock, random numbers, and the number of processes. Tests replace them.
public struct CallEnvironment: Sendable {
    /// Returns the time of the wall clock.
    public let now: @Sendable () -> Instant
    /// Waits for this many milliseconds; throws when the task is cancelled.
    public let sleep: @Sendable (_ milliseconds: Int64) async throws -> Void
    /// Returns a random number from 0 up to but not including 1.
    public let random: @Sendable () -> Double
    /// Returns the number of processes of the service, which share the App Store's limit on requests.
    public let sharers: @Sendable () -> Int64

    /// Each function is called anew for each request, so its result may change.
    public init(
        now: @escaping @Sendable () -> Instant,
        sleep: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void,
        random: @escaping @Sendable () -> Double,
        sharers: @escaping @Sendable () -> Int64 = { 1 }
    ) {
        self.now = now
        self.sleep = sleep
        self.random = random
        self.sharers = sharers
    }
}

public import EligibilityRules

/// Time, randomness and the number of processes, which calls to the App Store depend on.
public struct CallEnvironment: Sendable {
    /// Wall-clock time.
    public let now: @Sendable () -> Instant
    /// Waits for this many milliseconds; throws when the task is cancelled.
    public let sleep: @Sendable (_ milliseconds: Int64) async throws -> Void
    /// A number from 0 up to but not including 1.
    public let random: @Sendable () -> Double
    /// The number of processes that share the App Store's limit on requests.
    public let sharers: @Sendable () -> Int64

    /// Takes the functions as they are.
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

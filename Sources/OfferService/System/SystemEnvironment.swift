package import EligibilityRules
import Glibc
import OfferSigning

/// Time and randomness as the service sees them.
package struct SystemEnvironment: Sendable {
    /// Wall-clock time.
    package let now: @Sendable () -> Instant
    /// Milliseconds since boot, whatever is done to the wall clock; time asleep counts.
    package let uptime: @Sendable () -> Int64
    /// Waits for a duration, by the time since boot. Throws if the task is cancelled.
    package let sleep: @Sendable (Duration) async throws -> Void
    /// Random bytes of cryptographic quality, not for secrets.
    let randomBytes: @Sendable (Int) throws(SigningError) -> [UInt8]

    init(
        now: @escaping @Sendable () -> Instant,
        uptime: @escaping @Sendable () -> Int64 = { SystemEnvironment.milliseconds(CLOCK_BOOTTIME) },
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        randomBytes: @escaping @Sendable (Int) throws(SigningError) -> [UInt8]
    ) {
        self.now = now
        self.uptime = uptime
        self.sleep = sleep
        self.randomBytes = randomBytes
    }

    /// The machine's own clock and OpenSSL's generator.
    package static let live = SystemEnvironment(
        now: { Instant(milliseconds: SystemEnvironment.milliseconds(CLOCK_REALTIME)) },
        randomBytes: { count throws(SigningError) in try pool.take(count) }
    )

    private static func milliseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    private static let pool = RandomPool()
}

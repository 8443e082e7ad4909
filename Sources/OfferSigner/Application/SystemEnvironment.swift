import EligibilityRules
import Glibc
import OfferSigning

/// Time and chance as signing sees them.
struct SystemEnvironment: Sendable {
    /// Wall-clock time.
    let now: @Sendable () -> Instant
    /// Random bytes of cryptographic quality, for what is no secret.
    let randomBytes: @Sendable (Int) throws(SigningError) -> [UInt8]

    /// The machine's own clock and OpenSSL's generator.
    static let live = SystemEnvironment(
        now: {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
        },
        randomBytes: { count throws(SigningError) in try pool.take(count) }
    )

    private static let pool = RandomPool()
}

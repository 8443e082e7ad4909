package import EligibilityRules
import Glibc
package import OfferSigning
import ServiceLifecycle
import Synchronization

/// The sources of time and randomness that the service uses. Tests replace them.
package struct SystemEnvironment: Sendable {
    package let now: @Sendable () -> Instant
    /// Milliseconds since boot, including the time in which the machine slept.
    ///
    /// Setting the wall clock does not change it.
    package let uptime: @Sendable () -> Int64
    /// Whether NTP has set the wall clock.
    let isSynchronised: @Sendable () -> Bool
    /// Waits for a duration, measured by the time since boot. Throws if the task is cancelled.
    package let sleep: @Sendable (Duration) async throws -> Void
    /// Random bytes of cryptographic quality. They must not be used for secrets (see `RandomPool`).
    let randomBytes: @Sendable (Int) throws(SigningError) -> [UInt8]

    init(
        now: @escaping @Sendable () -> Instant,
        uptime: @escaping @Sendable () -> Int64 = { SystemEnvironment.milliseconds(CLOCK_BOOTTIME) },
        isSynchronised: @escaping @Sendable () -> Bool = { false },
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        randomBytes: @escaping @Sendable (Int) throws(SigningError) -> [UInt8]
    ) {
        self.now = now
        self.uptime = uptime
        self.isSynchronised = isSynchronised
        self.sleep = sleep
        self.randomBytes = randomBytes
    }

    /// The machine's own clock and OpenSSL's generator.
    package static let live = SystemEnvironment(
        now: { Instant(milliseconds: SystemEnvironment.milliseconds(CLOCK_REALTIME)) },
        isSynchronised: { Crypto.isClockSynchronised },
        randomBytes: { count throws(SigningError) in try pool.take(count) }
    )

    private static func milliseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    private static let pool = RandomPool()
}

/// Random bytes that are fetched a page at a time, because one call of the generator costs as much for nine bytes as for a
/// thousand.
///
/// They must not be used for secrets: bytes that a caller has taken stay in this memory until the page is used up.
package final class RandomPool: Sendable {
    private static let size = 4096

    private let bytes = Mutex<[UInt8]>([])

    /// The pool is empty at first.
    package init() {}

    /// Returns bytes that no other caller gets.
    package func take(_ count: Int) throws(SigningError) -> [UInt8] {
        guard count <= RandomPool.size / 16 else { return try Crypto.randomBytes(count) }
        return try bytes.withLock { bytes throws(SigningError) in
            if bytes.count < count { bytes = try Crypto.randomBytes(RandomPool.size) }
            let taken = Array(bytes.suffix(count))
            bytes.removeLast(count)
            return taken
        }
    }
}

extension SystemEnvironment {
    /// Repeats a round of work until the service stops. A round that is under way then is cut off.
    ///
    /// - Parameters:
    ///   - state: what each round leaves for the next one.
    ///   - round: does the work, and returns how long to rest.
    /// - Returns: what the last round has left.
    @discardableResult
    func rounds<State: Sendable>(
        _ state: State,
        _ round: @escaping @Sendable (inout State) async -> Duration
    ) async -> State {
        await cancelWhenGracefulShutdown {
            var state = state
            while !Task.isCancelled {
                let rest = await round(&state)
                if rest > .zero { try? await sleep(rest) }
            }
            return state
        }
    }

    /// Repeats a round of work until the service stops. A round that is under way then is cut off.
    ///
    /// - Parameter round: does the work, and returns how long to rest.
    package func rounds(_ round: @escaping @Sendable () async -> Duration) async {
        await rounds(()) { _ in await round() }
    }

    /// Repeats a round of work until the service stops.
    ///
    /// There is a pause before the first round.
    package func rounds(after pause: Duration, _ round: @escaping @Sendable () async -> Void) async {
        await rounds(true) { isFirst in
            if !isFirst { await round() }
            isFirst = false
            return pause
        }
    }
}

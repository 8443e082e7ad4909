import EligibilityRules
import Synchronization

/// The `RequestSchedule` of one app and host, for concurrent callers.
final class RequestPacer: Sendable {
    private let schedule: Mutex<RequestSchedule>

    /// Starts with an immediate turn for the first caller.
    init(_ schedule: RequestSchedule) { self.schedule = Mutex(schedule) }

    /// Returns the wait for a turn, in ms; throws if that would be too long.
    func turn(at now: Instant, sharers: Int64) throws(AppStoreError) -> Int64 {
        switch schedule.withLock({ $0.reserve(at: now, sharers: sharers) }) {
        case .wait(let milliseconds): return milliseconds
        case .tooLate(let instant):
            throw AppStoreError(.rateLimited, "more requests than the App Store allows are waiting", retryAt: instant)
        }
    }

    /// Delays all turns until an instant that the host asked for.
    func hold(until instant: Instant) { schedule.withLock { $0.hold(until: instant) } }
}

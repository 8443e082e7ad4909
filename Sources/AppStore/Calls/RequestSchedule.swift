public import EligibilityRules

/// A pace of requests to one host. Each request has its turn, an interval after the previous one.
public struct RequestSchedule: Equatable, Sendable {
    /// The answer of the schedule to one request.
    public enum Turn: Equatable, Sendable {
        case wait(milliseconds: Int64)
        /// The turn would come too late. Nothing was reserved.
        case tooLate(at: Instant)
    }

    private let interval: Int64
    private let maxWait: Int64
    private var next: Instant?
    private var heldUntil: Instant?

    /// - Parameters:
    ///   - interval: the time between two requests, in ms; 0 for no pace.
    ///   - maxWait: the longest wait for a turn, in ms.
    public init(interval: Int64, maxWait: Int64) {
        self.interval = max(0, interval)
        self.maxWait = max(0, maxWait)
    }

    /// Reserves the next turn.
    ///
    /// - Parameter sharers: the number of such schedules for the host. Each takes one turn in that many.
    public mutating func reserve(at now: Instant, sharers: Int64 = 1) -> Turn {
        let interval = interval * max(1, sharers)
        // A few callers at a time must not be refused.
        let maxWait = sharers > 1 ? max(maxWait, 3 * interval) : maxWait
        // A turn further ahead than this was reserved before the clock was set back.
        let furthest = now.advanced(by: maxWait + interval)
        let reserved = next.flatMap { $0 <= furthest ? $0 : nil }
        let turn = max(now, reserved ?? now, heldUntil ?? now)
        let wait = turn.milliseconds - now.milliseconds
        guard wait <= maxWait else { return .tooLate(at: turn) }
        next = turn.advanced(by: interval)
        return .wait(milliseconds: wait)
    }

    /// Delays all turns until an instant that the host asked for.
    public mutating func hold(until instant: Instant) { heldUntil = max(instant, heldUntil ?? instant) }
}

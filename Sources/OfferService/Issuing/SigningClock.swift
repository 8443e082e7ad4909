package import EligibilityRules
package import OfferStore
import Synchronization

/// The timestamps of signatures, in ms. They never go back, and there are none while the clock cannot be trusted.
package final class SigningClock: Sendable {
    /// How far the wall clock may be behind the latest timestamp, and how far it may drift from the time since boot, in ms.
    package static let tolerance: Int64 = 5000

    /// The valid timestamps: ms since 1970 that JSON represents exactly.
    package static let timestamps: ClosedRange<Int64> = 0...9_007_199_254_740_991

    /// How long a wall clock that was found right is trusted without another check, in ms.
    private static let window: UInt64 = 1000
    private static let never = Int64.min
    /// How long an operator's acceptance of the clock is valid, in ms.
    private static let acceptance: Int64 = 60_000

    private struct State {
        /// What the wall clock was expected to show at `uptime`.
        var wall: Int64
        var uptime: Int64
        /// How far the wall clock may differ from the expected time, in ms.
        var allowed: ClosedRange<Int64>
        var isFirst = true
        var acceptedAt: Instant?
        var repairedAt: Instant?
        /// How far the wall clock is ahead of the store's clock, in ms; 0 if the store has no clock.
        var offset: Int64 = 0

        /// Accepts what the wall clock shows now. From then on it may differ only as much as clocks normally do.
        mutating func trust(_ now: Int64, _ uptime: Int64) {
            wall = now
            self.uptime = uptime
            allowed = -SigningClock.tolerance...SigningClock.tolerance
            isFirst = false
        }
    }

    private let system: SystemEnvironment
    private let highWater: Atomic<Int64>
    /// When the wall clock was last found right; `never` while it is not right.
    private let foundRight = Atomic<Int64>(SigningClock.never)
    private let state: Mutex<State>

    /// - Parameters:
    ///   - record: what the store knows of earlier times and of an operator's decisions.
    ///   - maxAhead: how far the wall clock may be ahead of the last time that the store knows when the service starts, in ms.
    package init(system: SystemEnvironment, record: ClockRecord, maxAhead: Int64) {
        self.system = system
        highWater = Atomic(record.latest?.milliseconds ?? 0)
        // There is no limit here on how far the clock may be behind, because `examine` compares it with the latest timestamp.
        let most = record.lastSignOfLife == nil ? Int64.max : maxAhead
        state = Mutex(
            State(
                wall: record.lastSignOfLife?.milliseconds ?? 0, uptime: system.uptime(), allowed: -Int64.max...most,
                acceptedAt: record.acceptedAt, repairedAt: record.repairedAt))
    }

    /// The timestamp of a signature. No later timestamp is less than this one.
    package func stamp() throws(IssueError) -> Instant {
        let now = try now()
        highWater.max(now.milliseconds, ordering: .relaxed)
        return now
    }

    /// The present, or the latest timestamp if the clock is a little behind it.
    ///
    /// Throws if the clock cannot be trusted.
    /// Unlike `stamp` it does not raise the latest timestamp. Reading the time while the clock is wrong therefore has no later
    /// effect.
    package func now() throws(IssueError) -> Instant {
        let now = system.now().milliseconds
        // The comparison with other clocks is made only once a second.
        if UInt64(bitPattern: now &- foundRight.load(ordering: .relaxed)) > SigningClock.window { try examine() }
        return Instant(milliseconds: max(now, highWater.load(ordering: .relaxed)))
    }

    /// Compares the wall clock with the latest timestamp and the time since boot.
    private func examine() throws(IssueError) {
        try state.withLock { state throws(IssueError) in
            foundRight.store(SigningClock.never, ordering: .relaxed)
            guard state.offset.magnitude <= SigningClock.tolerance else {
                throw .notReady(
                    "the clock is \(state.offset.magnitude) ms \(state.offset < 0 ? "behind" : "ahead of") the database's; correct the "
                        + "wrong one of the two", of: .clock)
            }
            let (now, uptime) = (system.now().milliseconds, system.uptime())
            let latest = highWater.load(ordering: .relaxed)
            guard now >= latest - SigningClock.tolerance else {
                throw .notReady(
                    "the clock is \(latest - now) ms behind the latest signature; correct it, or, "
                        + "if a wrong clock dated that signature, run: offersigner clock repair", of: .clock)
            }
            let elapsed = max(0, uptime - state.uptime)
            let drift = now - (state.wall + elapsed)
            // If the service was down for long, the store cannot show whether the clock is right or far ahead. NTP can, so its
            // word counts.
            guard state.allowed.contains(drift) || state.isFirst && drift > 0 && system.isSynchronised() else {
                throw .notReady(SigningClock.complaint(state, now, drift), of: .clock)
            }
            if state.isFirst {
                state.trust(now, uptime)
            } else {
                // NTP corrects a clock gradually. Meanwhile the clock runs up to 10 % faster or slower, and the expected time
                // follows it.
                state.wall += elapsed + min(max(drift, -elapsed / 10), elapsed / 10)
                state.uptime = uptime
            }
            foundRight.store(now, ordering: .relaxed)
        }
    }

    private static func complaint(_ state: State, _ now: Int64, _ drift: Int64) -> String {
        let shown = Instant(milliseconds: now).iso8601
        let finding =
            state.isFirst
            ? "the clock shows \(shown), \(state.wall.distance(to: now) / 1000) s beyond the last use of the store"
            : "the clock has leapt \(drift.magnitude / 1000) s \(drift < 0 ? "back" : "ahead"), to \(shown)"
        return "\(finding); correct it, or, if it is right, run: offersigner clock accept"
    }

    /// Records how far the wall clock is ahead of the store's clock, in ms.
    package func take(offset: Int64) { state.withLock { $0.offset = offset } }

    /// Applies what an operator has decided since, according to the store.
    package func take(_ record: ClockRecord) {
        state.withLock { state in
            if record.repairedAt != state.repairedAt {
                state.repairedAt = record.repairedAt
                highWater.store(record.latest?.milliseconds ?? 0, ordering: .relaxed)
            }
            guard record.acceptedAt != state.acceptedAt else { return }
            state.acceptedAt = record.acceptedAt
            let now = system.now().milliseconds
            guard let accepted = record.acceptedAt?.milliseconds,
                (-SigningClock.tolerance...SigningClock.acceptance).contains(now - accepted)
            else { return }
            state.trust(now, system.uptime())
        }
    }
}

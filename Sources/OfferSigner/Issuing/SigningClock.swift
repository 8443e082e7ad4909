import EligibilityRules
import Synchronization

/// Timestamps for signatures: milliseconds that never go back, and none at all when the clock is wrong.
final class SigningClock: Sendable {
    /// How far the wall clock may fall behind the latest timestamp, in ms.
    static let tolerance: Int64 = 5000

    /// Milliseconds since 1970 that JSON carries exactly: what may be given as a timestamp.
    static let timestamps: ClosedRange<Int64> = 0...9_007_199_254_740_991

    private let system: SystemEnvironment
    private let highWater: Atomic<Int64>

    /// - Parameter latest: the latest timestamp that the store knows.
    init(system: SystemEnvironment, latest: Instant?) {
        self.system = system
        highWater = Atomic(latest?.milliseconds ?? 0)
    }

    /// The timestamp of a signature: no later one is before it.
    func stamp() throws(IssueError) -> Instant {
        let now = try now()
        highWater.max(now.milliseconds, ordering: .relaxed)
        return now
    }

    /// The present, or the latest timestamp if the clock is a little behind it; fails if it is far behind.
    ///
    /// A look at it binds nobody: a clock that was wrong for a moment stops only those who signed meanwhile.
    func now() throws(IssueError) -> Instant {
        let now = system.now().milliseconds
        let latest = highWater.load(ordering: .relaxed)
        guard now >= latest - SigningClock.tolerance else {
            throw .notReady("the clock is \(latest - now) ms behind the latest signature; set it right", of: .clock)
        }
        return Instant(milliseconds: max(now, latest))
    }
}

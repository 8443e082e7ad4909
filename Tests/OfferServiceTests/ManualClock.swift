import EligibilityRules
import Synchronization

@testable import OfferService

/// A wall clock and a time since boot that the test sets.
final class ManualClock: Sendable {
    let wall: Atomic<Int64>
    let uptime = Atomic<Int64>(0)

    init(_ wall: Int64) { self.wall = Atomic(wall) }

    var environment: SystemEnvironment {
        SystemEnvironment(
            now: { Instant(milliseconds: self.wall.load(ordering: .relaxed)) },
            uptime: { self.uptime.load(ordering: .relaxed) }, randomBytes: SystemEnvironment.live.randomBytes)
    }

    /// Lets time pass.
    func pass(_ milliseconds: Int64) {
        wall.add(milliseconds, ordering: .relaxed)
        uptime.add(milliseconds, ordering: .relaxed)
    }

    /// Changes what the wall clock shows, and no time passes.
    func leap(_ milliseconds: Int64) { wall.add(milliseconds, ordering: .relaxed) }
}

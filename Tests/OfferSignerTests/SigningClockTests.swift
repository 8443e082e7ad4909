import EligibilityRules
import Synchronization
import Testing

@testable import OfferSigner

@Suite("Signing clock")
struct SigningClockTests {
    /// A wall clock that the test sets.
    private final class Hands: Sendable {
        let time = Atomic<Int64>(0)

        var environment: SystemEnvironment {
            SystemEnvironment(
                now: { Instant(milliseconds: self.time.load(ordering: .relaxed)) },
                randomBytes: SystemEnvironment.live.randomBytes)
        }
    }

    @Test("Timestamps never go back")
    func monotony() throws {
        let hands = Hands()
        let clock = SigningClock(system: hands.environment, latest: nil)
        hands.time.store(10_000, ordering: .relaxed)
        #expect(try clock.stamp().milliseconds == 10_000)
        hands.time.store(9_000, ordering: .relaxed)
        #expect(try clock.now().milliseconds == 10_000)
        #expect(try clock.stamp().milliseconds == 10_000)
        hands.time.store(10_001, ordering: .relaxed)
        #expect(try clock.stamp().milliseconds == 10_001)
    }

    @Test("A look at a clock that is fast for a moment stops nothing")
    func fastForAMoment() throws {
        let hands = Hands()
        let clock = SigningClock(system: hands.environment, latest: Instant(milliseconds: 10_000))
        hands.time.store(3_600_000, ordering: .relaxed)
        #expect(try clock.now().milliseconds == 3_600_000)
        hands.time.store(10_001, ordering: .relaxed)
        #expect(try clock.stamp().milliseconds == 10_001)
    }

    @Test("A clock far behind what the store knows signs nothing")
    func farBehind() throws {
        let hands = Hands()
        let clock = SigningClock(system: hands.environment, latest: Instant(milliseconds: 100_000))
        hands.time.store(100_000 - SigningClock.tolerance - 1, ordering: .relaxed)
        let error = #expect(throws: IssueError.self) { try clock.now() }
        guard case .notReady? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        hands.time.store(100_000 - SigningClock.tolerance, ordering: .relaxed)
        #expect(try clock.now().milliseconds == 100_000)
    }
}

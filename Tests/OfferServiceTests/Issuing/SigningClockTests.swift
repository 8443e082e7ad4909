import EligibilityRules
import OfferStore
import Synchronization
import Testing

@testable import OfferService

private let begin: Int64 = 1_700_000_000_000
private let hour: Int64 = 3_600_000
private let day: Int64 = 86_400_000

@Suite("Signing clock")
struct SigningClockTests {
    private let hands = ManualClock(begin)

    private func clock(_ record: ClockRecord = ClockRecord()) -> SigningClock {
        SigningClock(system: hands.environment, record: record, maxAhead: hour)
    }

    private func record(
        latest: Int64? = nil,
        seen: Int64? = nil,
        accepted: Int64? = nil,
        repaired: Int64? = nil
    ) -> ClockRecord {
        func instant(_ offset: Int64?) -> Instant? { offset.map { Instant(milliseconds: begin + $0) } }
        return ClockRecord(
            latest: instant(latest), seenAt: instant(seen), acceptedAt: instant(accepted), repairedAt: instant(repaired))
    }

    private func expectRefusal(_ clock: SigningClock, _ words: String, _ location: SourceLocation = #_sourceLocation) {
        let error = #expect(throws: IssueError.self, sourceLocation: location) { try clock.stamp() }
        #expect(error?.reason.contains(words) == true, "\(error?.reason ?? "")", sourceLocation: location)
        #expect(throws: IssueError.self, sourceLocation: location) { try clock.now() }
    }

    @Test("After a long pause, a clock that NTP has set is right")
    func synchronised() throws {
        let isSynchronised = Atomic(false)
        let system = SystemEnvironment(
            now: { hands.now }, uptime: { hands.uptime.load(ordering: .relaxed) },
            isSynchronised: { isSynchronised.load(ordering: .relaxed) }, randomBytes: SystemEnvironment.live.randomBytes)
        let clock = SigningClock(system: system, record: record(seen: -7 * day), maxAhead: hour)
        expectRefusal(clock, "604800 s beyond the last use of the store")
        isSynchronised.store(true, ordering: .relaxed)
        #expect(try clock.now().milliseconds == begin)
        // Neither a leap while it runs nor a clock before the latest signature is NTP's.
        hands.leap(2 * hour)
        expectRefusal(clock, "the clock has leapt 7200 s ahead")
        let behind = SigningClock(system: system, record: record(latest: 4 * hour), maxAhead: hour)
        expectRefusal(behind, "behind the latest signature")
    }

    @Test("Timestamps never go back")
    func monotony() throws {
        let clock = self.clock()
        #expect(try clock.stamp().milliseconds == begin)
        hands.leap(-1000)
        #expect(try clock.now().milliseconds == begin)
        #expect(try clock.stamp().milliseconds == begin)
        hands.leap(1001)
        #expect(try clock.stamp().milliseconds == begin + 1)
    }

    @Test("A clock far behind what the store knows signs nothing, and the error says how to go on")
    func farBehind() throws {
        let clock = self.clock(record(latest: hour))
        expectRefusal(clock, "the clock is 3600000 ms behind the latest signature")
        expectRefusal(clock, "offersigner clock repair")
        hands.leap(hour - SigningClock.tolerance)
        #expect(try clock.now().milliseconds == begin + hour)
    }

    @Test(
        "A clock that leaps signs nothing until it is right again",
        arguments: [402 * day, hour, 5001, -5001, -hour, -402 * day] as [Int64])
    func leap(_ distance: Int64) throws {
        let clock = self.clock()
        _ = try clock.now()
        hands.pass(1500)
        hands.leap(distance)
        expectRefusal(clock, "clock has leapt")
        expectRefusal(clock, "offersigner clock accept")
        hands.pass(day)
        expectRefusal(clock, "clock has leapt")
        hands.leap(-distance)
        #expect(try clock.stamp().milliseconds == begin + 1500 + day)
    }

    @Test("A leap in the second after a look is noticed before anything is signed")
    func leapAtOnce() throws {
        let clock = self.clock()
        _ = try clock.stamp()
        hands.leap(402 * day)
        expectRefusal(clock, "clock has leapt")
    }

    @Test("Small steps and slewing are what clocks do")
    func adjustment() throws {
        let clock = self.clock()
        for step in [4000, -4000, 900, -900] as [Int64] {
            hands.pass(60_000)
            hands.leap(step)
            _ = try clock.now()
        }
        for _ in 0..<2000 {
            hands.pass(1000)
            hands.leap(50)
            _ = try clock.now()
        }
    }

    @Test("Many small steps in a short time are a leap")
    func creeping() throws {
        let clock = self.clock()
        _ = try clock.now()
        #expect(throws: IssueError.self) {
            for _ in 0..<10 {
                hands.pass(1001)
                hands.leap(4000)
                _ = try clock.now()
            }
        }
    }

    @Test(
        "At the start it may be an hour beyond the last sign of life",
        arguments: [0, hour, hour + 1, 7 * day, 402 * day] as [Int64])
    func pause(_ pause: Int64) throws {
        for known in [record(latest: -pause), record(latest: -pause - day, seen: -pause), record(accepted: -pause)] {
            let clock = self.clock(known)
            guard pause > hour else {
                #expect(try clock.stamp().milliseconds == begin)
                continue
            }
            expectRefusal(clock, "\(pause / 1000) s beyond the last use of the store")
            expectRefusal(clock, "offersigner clock accept")
        }
    }

    @Test("At the start it may be corrected without an operator's word")
    func setRight() throws {
        let clock = self.clock(record(latest: 0))
        hands.leap(402 * day)
        expectRefusal(clock, "beyond the last use")
        hands.pass(10 * hour)
        hands.leap(-402 * day)
        #expect(try clock.stamp().milliseconds == begin + 10 * hour)
        hands.leap(2 * hour)
        expectRefusal(clock, "clock has leapt")
    }

    @Test("A new store takes any time")
    func newStore() throws { #expect(try clock().stamp().milliseconds == begin) }

    @Test("An operator's word lets it go on, at the time it was given for")
    func accepting() throws {
        let old = record(latest: -7 * day, accepted: -8 * day)
        let clock = self.clock(old)
        expectRefusal(clock, "beyond the last use")
        clock.take(old)
        expectRefusal(clock, "beyond the last use")
        clock.take(record(latest: -7 * day, accepted: -hour))
        expectRefusal(clock, "beyond the last use")
        hands.pass(1000)
        clock.take(record(latest: -7 * day, accepted: 900))
        #expect(try clock.stamp().milliseconds == begin + 1000)
        hands.leap(-2 * day)
        expectRefusal(clock, "behind the latest signature")
    }

    @Test("After a repair the latest signature is no longer that of the future")
    func repairing() throws {
        let clock = self.clock(record(latest: 402 * day))
        expectRefusal(clock, "offersigner clock repair")
        // An operator who accepts the time has not said that those signatures do not count.
        clock.take(record(latest: 402 * day, accepted: 0))
        expectRefusal(clock, "offersigner clock repair")
        clock.take(record(latest: 10, accepted: 10, repaired: 10))
        hands.pass(20)
        #expect(try clock.stamp().milliseconds == begin + 20)
    }
}

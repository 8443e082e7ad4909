import EligibilityRules
import Testing

@testable import AppStore

@Suite("Pace of requests")
struct RequestScheduleTests {
    @Test("Each request has its turn so far after the one before, and none beyond the longest wait")
    func turns() {
        var schedule = RequestSchedule(interval: 20, maxWait: 50)
        #expect((0..<3).map { _ in schedule.reserve(at: 1000) } == [0, 20, 40].map { .wait(milliseconds: $0) })
        #expect(schedule.reserve(at: 1000) == .tooLate(at: 1060))
        #expect(schedule.reserve(at: 1010) == .wait(milliseconds: 50))
        #expect(schedule.reserve(at: 5000) == .wait(milliseconds: 0))
    }

    @Test(
        "Over a second there are no more turns than the pace and the share of it allow",
        arguments: [(20, 1), (200, 1), (20, 5)] as [(Int64, Int64)])
    func rate(interval: Int64, sharers: Int64) {
        var schedule = RequestSchedule(interval: interval, maxWait: 0)
        let turns = (Int64(0)..<1000).count { now in
            if case .wait(let wait) = schedule.reserve(at: Instant(milliseconds: now), sharers: sharers) {
                now + wait < 1000
            } else {
                false
            }
        }
        #expect(turns == 1000 / Int(interval * sharers))
    }

    @Test("No request has its turn before the time that the host asked for")
    func hold() {
        var schedule = RequestSchedule(interval: 20, maxWait: 50)
        schedule.hold(until: 1040)
        schedule.hold(until: 1030)
        #expect(schedule.reserve(at: 1000) == .wait(milliseconds: 40))
        schedule.hold(until: 9000)
        #expect(schedule.reserve(at: 1000) == .tooLate(at: 9000))
        #expect(schedule.reserve(at: 9000) == .wait(milliseconds: 0))
    }

    @Test("A clock that is set back does not stop the requests")
    func clockSetBack() {
        var schedule = RequestSchedule(interval: 20, maxWait: 50)
        _ = schedule.reserve(at: 10_000_000)
        #expect(schedule.reserve(at: 1000) == .wait(milliseconds: 0))
        #expect(schedule.reserve(at: 1000) == .wait(milliseconds: 20))
    }

    @Test("Without a pace no request waits")
    func unpaced() {
        var schedule = RequestSchedule(interval: 0, maxWait: 0)
        #expect((0..<5).allSatisfy { _ in schedule.reserve(at: 7) == .wait(milliseconds: 0) })
    }
}

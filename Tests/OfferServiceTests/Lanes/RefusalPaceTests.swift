import NIOCore
import Testing

@testable import OfferService

@Suite("The pace of refusals")
struct RefusalPaceTests {
    @Test("A burst leaves at once, as many wait for a millisecond more each, and no more wait")
    func pace() {
        let (pace, now) = (RefusalPace(), NIODeadline.uptimeNanoseconds(1_000_000_000_000))
        for _ in 0..<RefusalPace.burst { #expect(pace.delay(at: now) == .zero) }
        for number in 1...RefusalPace.mostWaiting { #expect(pace.delay(at: now) == .milliseconds(number)) }
        for _ in 0..<10 { #expect(pace.delay(at: now) == nil) }
        #expect(pace.delay(at: now + .milliseconds(1)) == .seconds(1))
        let later = now + .seconds(10)
        for _ in 0..<RefusalPace.burst { #expect(pace.delay(at: later) == .zero) }
        #expect(pace.delay(at: later) == .milliseconds(1))
    }
}

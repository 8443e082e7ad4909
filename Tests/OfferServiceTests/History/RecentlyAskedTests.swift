import EligibilityRules
import Testing

@testable import OfferService

@Suite("What was asked of late")
struct RecentlyAskedTests {
    @Test("One subscription is asked about once in the time, others at once")
    func pause() {
        var asked = RecentlyAsked()
        func ask(_ id: String, at milliseconds: Int64) -> Bool {
            asked.note(id, at: Instant(milliseconds: milliseconds), notBefore: 1000)
        }
        #expect(ask("1", at: 5000))
        #expect(!ask("1", at: 5999))
        #expect(ask("2", at: 5999))
        #expect(ask("1", at: 6000))
        #expect(!ask("2", at: 6500))
        // A clock that was set back must not keep the App Store unasked.
        #expect(ask("2", at: 100))
    }

    @Test("However many are asked about, no more than a bounded number is remembered, the latest among them")
    func bound() {
        var asked = RecentlyAsked()
        let now = Instant(milliseconds: 5000)
        for id in 0..<200_000 { _ = asked.note("\(id)", at: now, notBefore: 1_000_000) }
        let (isLatestAsked, isFirstAsked) = (
            asked.note("199999", at: now, notBefore: 1_000_000), asked.note("0", at: now, notBefore: 1_000_000)
        )
        #expect(!isLatestAsked)
        #expect(isFirstAsked)
    }
}

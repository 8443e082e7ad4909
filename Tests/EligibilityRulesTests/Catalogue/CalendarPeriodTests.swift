import Foundation
import Testing

@testable import EligibilityRules

@Suite("Periods of the calendar")
struct CalendarPeriodTests {
    private func instant(_ text: String) -> Instant {
        let date = try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        return Instant(milliseconds: Int64(date!.timeIntervalSince1970 * 1000))
    }

    @Test(
        "A period ends on the same day of a later month, or on its last",
        arguments: [
            ("P1D", "2026-02-28T23:59:59.999Z", "2026-03-01T23:59:59.999Z"),
            ("P2W", "2026-12-25T00:00:00.000Z", "2027-01-08T00:00:00.000Z"),
            ("P90D", "2026-01-01T12:00:00.000Z", "2026-04-01T12:00:00.000Z"),
            ("P1M", "2026-01-31T10:00:00.000Z", "2026-02-28T10:00:00.000Z"),
            ("P1M", "2028-01-31T10:00:00.000Z", "2028-02-29T10:00:00.000Z"),
            ("P1M", "2026-12-15T10:00:00.001Z", "2027-01-15T10:00:00.001Z"),
            ("P11M", "2026-01-31T00:00:00.000Z", "2026-12-31T00:00:00.000Z"),
            ("P12M", "2026-03-31T00:00:00.000Z", "2027-03-31T00:00:00.000Z"),
            ("P1Y", "2028-02-29T00:00:00.000Z", "2029-02-28T00:00:00.000Z"),
            ("P100Y", "2000-02-29T06:00:00.000Z", "2100-02-28T06:00:00.000Z"),
            ("P9999D", "2026-11-23T00:00:00.000Z", "2054-04-09T00:00:00.000Z"),
            ("P1Y", "1969-12-31T23:00:00.000Z", "1970-12-31T23:00:00.000Z"),
        ])
    func after(_ text: String, _ start: String, _ end: String) throws {
        let period = try #require(CalendarPeriod(text))
        #expect(period.after(instant(start)) == instant(end))
        #expect(period.text == text)
    }

    @Test(
        "Foundation's calendar says the same of every day of five years", arguments: ["P1M", "P5M", "P1Y", "P4Y", "P3W", "P45D"])
    func calendar(_ text: String) throws {
        let period = try #require(CalendarPeriod(text))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let count = Int(text.dropFirst().dropLast())!
        let component: Calendar.Component = ["M": .month, "Y": .year, "W": .weekOfYear, "D": .day][text.last!]!
        for day in 0..<1827 {
            let start = Date(timeIntervalSince1970: TimeInterval(1_767_312_000 + day * 86_400))
            let end = try #require(calendar.date(byAdding: component, value: count, to: start))
            let found = period.after(Instant(milliseconds: Int64(start.timeIntervalSince1970) * 1000))
            #expect(found.milliseconds == Int64(end.timeIntervalSince1970) * 1000, "\(start)")
        }
    }

    @Test(
        "What is none is none",
        arguments: ["", "P", "P0D", "P01D", "P1", "1D", "PD", "P1H", "PT1H", "P1Y1M", "P-1D", "P10000D", "p1d"])
    func fault(_ text: String) { #expect(CalendarPeriod(text) == nil) }

    @Test(
        "So many periods of a product are one redemption",
        arguments: [
            (.payAsYouGo, "P3M", "P1M", 3), (.payAsYouGo, "P1Y", "P1M", 12), (.payAsYouGo, "P1Y", "P1Y", 1),
            (.payAsYouGo, "P8W", "P1W", 8), (.payAsYouGo, "P1M", "P1W", 4), (.payAsYouGo, "P6M", "P2M", 3),
            (.payUpFront, "P3M", "P1M", 1),
            (.freeTrial, "P3M", "P1M", 1), (.payAsYouGo, "P3M", "?", 1),
        ] as [(OfferKind, String, String, Int)])
    func instalments(_ kind: OfferKind, _ offer: String, _ product: String, _ count: Int) {
        #expect(SubscriptionOffer(kind: kind, period: offer).instalments(ofProductPeriod: product) == count)
    }
}

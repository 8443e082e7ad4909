import EligibilityRules
import Foundation
import OfferService
import Testing

@testable import OfferHTTP

@Suite("Local time")
struct LocalMomentTests {
    private static let berlin = TimeZone(iana: "Europe/Berlin")!

    @Test("Names of the IANA database are known, old ones too, and no others")
    func names() {
        for name in ["UTC", "Europe/Berlin", "Asia/Kolkata", "Asia/Calcutta", "Europe/Kyiv", "America/Argentina/Buenos_Aires"] {
            #expect(TimeZone(iana: name) != nil, "\(name)")
        }
        for name in ["", "Berlin", "No/Where", "GMT+5", "EST", "europe/berlin", "Europe/Berlin ", "../etc/passwd"] {
            #expect(TimeZone(iana: name) == nil, "\(name)")
        }
        #expect(TimeZone(iana: "UTC") == .gmt && TimeZone.gmt.label == "UTC")
        #expect(TimeZone(iana: "America/New_York")?.label == "New York time")
    }

    @Test(
        "A local time is one instant, none where clocks skip it, and two where they repeat it",
        arguments: [
            ("2026-07-01", "12:00", ["2026-07-01T10:00:00Z"]), ("2026-12-01", "09:00:30", ["2026-12-01T08:00:30Z"]),
            ("2026-03-29", "02:30", []), ("2026-03-29", "01:59", ["2026-03-29T00:59:00Z"]),
            ("2026-03-29", "03:00", ["2026-03-29T01:00:00Z"]),
            ("2026-10-25", "02:30", ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"]),
            ("2026-10-25", "03:00", ["2026-10-25T02:00:00Z"]),
            ("2024-02-29", "00:00:00.250", ["2024-02-28T23:00:00.250Z"]), ("2026-02-29", "00:00", nil),
            ("2026-13-01", "00:00", nil),
            ("1.12.2026", "00:00", nil), ("2026-12-01", "24:00", nil), ("0000-01-01", "00:00", nil),
        ])
    func local(row: (date: String, time: String, utc: [String]?)) {
        let instants = LocalMoment.instants(date: row.date, time: row.time, in: Self.berlin)
        #expect(instants?.map(\.exactISO8601) == row.utc)
        for instant in instants ?? [] {
            let shown = LocalMoment(instant, in: Self.berlin)
            #expect(shown.date == row.date && shown.time == row.time)
        }
    }
}

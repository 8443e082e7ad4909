import EligibilityRules
import Foundation
import Testing

@testable import OfferHTTP

@Suite("Time zones")
struct TimeZoneRulesTests {
    @Test(
        "Clocks show what another implementation says, every few hours of sixty years",
        arguments: [
            "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Sydney", "Asia/Tokyo", "America/Sao_Paulo", "UTC",
        ])
    func offsets(name: String) throws {
        let (rules, other) = (TimeZones()[name], try #require(TimeZone(identifier: name)))
        #expect(rules.name == name)
        for second in stride(from: Int64(1_000_000_000), to: 2_900_000_000, by: 13 * 3600 + 17) {
            let offset = other.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second)))
            #expect(rules.offset(at: second) == Int64(offset), "\(second)")
        }
    }

    @Test(
        "A rule for all years says the same as the transitions of a file",
        arguments: ["Europe/Berlin", "America/New_York", "Australia/Sydney"])
    func rule(name: String) throws {
        let texts = [
            "Europe/Berlin": "CET-1CEST,M3.5.0,M10.5.0/3", "America/New_York": "EST5EDT,M3.2.0,M11.1.0",
            "Australia/Sydney": "AEST-10AEDT,M10.1.0,M4.1.0/3",
        ]
        let (rule, zone) = (try #require(SummerTimeRule(texts[name]!)), TimeZones()[name])
        for second in stride(from: Int64(1_500_000_000), to: 2_100_000_000, by: 5 * 3600 + 13) {
            #expect(rule.offset(at: second) == zone.offset(at: second), "\(second)")
        }
    }

    @Test("What is no rule and no file gives none")
    func refused() {
        for text in ["", "CET", "CET-1CEST", "CET-1CEST,J60,J300", "CET-1CEST,M13.1.0,M10.5.0"] {
            #expect(SummerTimeRule(text) == nil)
        }
        #expect(TimeZoneRules(name: "X", []) == nil)
        #expect(TimeZoneRules(name: "X", Array("TZif2".utf8) + [UInt8](repeating: 0, count: 100)) == nil)
        #expect(TimeZones()["No/Where"] == .utc)
    }

    @Test(
        "A local time is one instant, none where clocks skip it, and two where they repeat it",
        arguments: [
            ("2026-07-01", "12:00", ["2026-07-01T10:00:00.000Z"]), ("2026-12-01", "09:00:30", ["2026-12-01T08:00:30.000Z"]),
            ("2026-03-29", "02:30", []), ("2026-03-29", "01:59", ["2026-03-29T00:59:00.000Z"]),
            ("2026-03-29", "03:00", ["2026-03-29T01:00:00.000Z"]),
            ("2026-10-25", "02:30", ["2026-10-25T00:30:00.000Z", "2026-10-25T01:30:00.000Z"]),
            ("2026-10-25", "03:00", ["2026-10-25T02:00:00.000Z"]),
            ("2024-02-29", "00:00:00.250", ["2024-02-28T23:00:00.250Z"]), ("2026-02-29", "00:00", nil),
            ("2026-13-01", "00:00", nil),
            ("1.12.2026", "00:00", nil), ("2026-12-01", "24:00", nil), ("0000-01-01", "00:00", nil),
        ])
    func local(row: (date: String, time: String, utc: [String]?)) {
        let instants = LocalMoment.instants(date: row.date, time: row.time, in: TimeZones()["Europe/Berlin"])
        let texts = instants?.map { Date(timeIntervalSince1970: Double($0.milliseconds) / 1000) }
            .map { $0.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)) }
        #expect(texts == row.utc)
    }
}

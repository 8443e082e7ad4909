import EligibilityRules
import OfferService
import Testing
import WireText

@testable import OfferHTTP

@Suite("The draft that gives the winner to all")
struct WinnerDraftTests {
    private static let now = Instant(milliseconds: 1_772_355_600_000)

    private static func test(id: String = "spring-winback", until: String? = nil) throws -> JSONValue {
        let end = until.map { #", "until": "\#($0)""# } ?? ""
        return try JSONValue(
            parsing: Array(
                """
                {"id": "\(id)", "name": "Spring", "bundleId": "com.example.app", "priority": 10, "placement": "paywall",
                 "schedule": {"from": "2025-01-01T00:00:00Z"\(end)}, "enrolment": 2500, "holdout": 500,
                 "audience": {"fact": "refunds.count", "is": 0}, "limits": {"perCustomer": 1},
                 "variants": [{"id": "control", "weight": 5000},
                   {"id": "half", "weight": 5000, "offers": [{"productId": "pro", "offerId": "half"}]}]}
                """.utf8))
    }

    @Test("It is for the same customers, in the same place and under the same limits, and all of them get it")
    func whole() throws {
        let json = try #require(WinnerDraft.json(Self.test(), winner: "half", taken: [], at: Self.now))
        let made = try #require(CampaignText(json: json).campaign)
        let test = try #require(CampaignText(json: Self.test()).campaign)
        #expect(made.id == "spring-winback-2" && made.name == "Spring: half for all")
        #expect(made.design.variants == [CampaignVariant(id: "half", weight: 10_000, offers: test.design.variants[1].offers)])
        #expect(made.design.enrolment == 10_000 && made.design.holdout == 0 && made.slot.priority == 11)
        #expect(made.audience == test.audience && made.limits == test.limits && made.slot.placement == test.slot.placement)
        #expect(made.schedule == CampaignSchedule())
    }

    @Test(
        "Its id is the next that is free",
        arguments: [
            ("spring-winback", [], "spring-winback-2"), ("spring-winback", ["spring-winback-2"], "spring-winback-3"),
            ("spring-2", ["spring"], "spring-3"), ("spring-3", ["spring-2"], "spring-4"), ("2026", [], "2026-2"),
            (String(repeating: "a", count: 64), [], String(repeating: "a", count: 62) + "-2"),
        ])
    func ids(_ id: String, _ taken: [String], _ expected: String) throws {
        let taken = Set(taken + [id] + (id == "spring-3" ? ["spring-2"] : []))
        let json = try #require(WinnerDraft.json(Self.test(id: id), winner: "half", taken: taken, at: Self.now))
        #expect(json.member("id") == .string(expected))
    }

    @Test("An end that lies ahead stays, one that is over does not; of a variant that is not there nothing is made")
    func ends() throws {
        let ahead = try #require(
            WinnerDraft.json(Self.test(until: "2031-01-01T00:00:00Z"), winner: "half", taken: [], at: Self.now))
        #expect(ahead.member("schedule") == .members(["until": .string("2031-01-01T00:00:00Z")]))
        let over = try #require(
            WinnerDraft.json(Self.test(until: "2025-02-01T00:00:00Z"), winner: "half", taken: [], at: Self.now))
        #expect(over.member("schedule") == nil)
        #expect(try WinnerDraft.json(Self.test(), winner: "third", taken: [], at: Self.now) == nil)
    }
}

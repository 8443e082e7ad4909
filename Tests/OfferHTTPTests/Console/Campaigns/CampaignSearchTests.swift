import EligibilityRules
import OfferStore
import Testing
import WireText

@testable import OfferHTTP
@testable import OfferService

@Suite("The list of campaigns")
struct CampaignSearchTests {
    private static let now = Instant(milliseconds: 1_000_000)

    private static func campaign(
        _ id: String,
        name: String = "N",
        tags: [String] = [],
        slot: CampaignSlot = CampaignSlot(),
        offers: [String] = [],
        until: Int64? = nil,
        by owner: String = "ann"
    ) throws -> CampaignOutline {
        var campaign = Campaign(
            id: id, name: name, bundleID: "com.example.app",
            slot: slot, schedule: CampaignSchedule(from: nil, until: until.map(Instant.init(milliseconds:))),
            design: CampaignDesign(variants: [
                CampaignVariant(
                    id: "v", weight: 10_000, offers: offers.map { CampaignVariant.Offer(productID: "pro", offerID: $0) })
            ]))
        campaign.tags = tags
        func act(_ by: String) -> CampaignAct { CampaignAct(at: Instant(milliseconds: 1), by: by) }
        var record = CampaignRecord(
            CampaignName(id, of: "com.example.app"), draft: CampaignText(json: campaign.json).document, by: act(owner))
        for (by, change) in [(owner, .submit), ("ben", .approve), (owner, .publish)] as [(String, CampaignChange)] {
            record = try record.stepped(change, by: act(by)) { $0 != $1 }
        }
        return CampaignOutline(ManagedCampaign(record, at: now))
    }

    private static func figures(_ exposed: Int, _ verdict: String, isOff: Bool = false) throws -> CampaignFigures {
        let json = """
            {"asOf": 1, "revision": 1, "verdict": {"code": "\(verdict)", "sentence": ""}, "isSplitOff": \(isOff), "announced": {},
            "variants": [{"id": "c", "exposed": \(exposed), "matured": 10, "converted": 1},
            {"id": "a", "exposed": 0, "matured": 10, "converted": 2}, {"id": "b", "exposed": 0, "matured": 10, "converted": 3}]}
            """
        return try #require(CampaignFigures(stored: Array(json.utf8)))
    }

    @Test(
        "All words are found, in any order, in name, id, tags, placement, offers, products and the owner's name",
        arguments: [
            ("winter back", ["a"]), ("BACK win", ["a"]), ("winter checkout vip", ["a"]), ("half", ["a"]), ("pro half", ["a"]),
            ("marketing-1", ["a", "b"]), ("marketing-1 spring", ["b"]), ("ben", ["c"]), ("überra", ["b"]),
            ("u\u{308}berra", ["b"]),
            ("win spring", []), ("  ", ["a", "b", "c"]), ("c", ["a", "b", "c"]), ("pro pro", ["a", "b"]),
        ])
    func words(text: String, found: [String]) throws {
        let all = [
            try Self.campaign(
                "a", name: "Win-back Winter", tags: ["vip"], slot: CampaignSlot(placement: "checkout"), offers: ["half"]),
            try Self.campaign("b", name: "Überraschung c", tags: ["spring"], offers: ["loyal"]),
            try Self.campaign("c", by: "osk_2"),
        ]
        let names = ["ann": "Marketing-1", "osk_2": "Ben"]
        #expect(CampaignSearch(["q": text]).found(in: all) { names[$0]! }.map(\.id) == found)
    }

    @Test(
        "A word in ASCII is found byte by byte, at the edges, too",
        arguments: [
            ("a", "a", true), ("ab", "a", false), ("ab", "aab", true), ("aab", "aaab", true), ("b", "", false),
            ("ba", "ab", false),
        ])
    func edges(word: String, text: String, isFound: Bool) { #expect(SearchWord(word).isIn(text) == isFound) }

    @Test(
        "Orders by priority, name, last change, exposed customers, health and end; the ids decide between equals",
        arguments: [
            (CampaignOrder.priority, ["c", "d", "a", "b", "e"]), (.name, ["e", "d", "a", "b", "c"]),
            (.changed, ["a", "b", "c", "d", "e"]),
            (.exposed, ["b", "a", "c", "d", "e"]), (.health, ["c", "a", "b", "d", "e"]), (.end, ["b", "a", "e", "d", "c"]),
        ])
    func orders(order: CampaignOrder, expected: [String]) throws {
        let all = [
            try Self.campaign("a", name: "C", until: 3_000_000), try Self.campaign("b", name: "c", until: 2_000_000),
            try Self.campaign("c", name: "d", slot: CampaignSlot(priority: 5), until: 400_000),
            try Self.campaign("d", name: "B", slot: CampaignSlot(priority: 5), until: 500_000),
            try Self.campaign("e", name: "A", slot: CampaignSlot(priority: -1)),
        ]
        let figures = [
            "a": try Self.figures(10, "winner"), "b": try Self.figures(200, "no-verdict-yet"),
            "c": try Self.figures(3, "no-verdict-yet", isOff: true),
        ]
        let shuffled = [3, 1, 4, 0, 2].map { all[$0] }
        #expect(order.sorted(shuffled, figures, at: Self.now).map(\.id) == expected)
    }

    @Test("A row shows the control and the best of the others, and none of them where the split is off")
    func best() throws {
        let shown = CampaignFiguresView(try Self.figures(10, "no-verdict-yet"), of: nil)
        #expect(shown.variants.map(\.name) == ["c", "b"] && shown.variants.map(\.class) == ["v0", "v2"])
        #expect(CampaignFiguresView(try Self.figures(10, "no-verdict-yet", isOff: true), of: nil).variants.isEmpty)
    }
}

import EligibilityRules
import OfferService
import Testing
import WireText

@Suite("What is different between two campaigns")
struct CampaignChangesTests {
    private static let fields = """
        "id":"i","name":"Winter","bundleId":"b","placement":"paywall","exclusionGroup":"g",
        "schedule":{"from":"2026-03-01"},"limits":{"perCustomer":1,"per":"P90D"},
        """
    private static let country = #"{"attribute":"country","oneOf":["US","CA"]}"#
    private static let audience = #""audience":{"all":[\#(country),{"fact":"refunds.count","is":0}]},"#
    private static let variants =
        #""variants":[{"id":"a","weight":4000},{"id":"c","weight":6000,"offers":[{"productId":"p","offerId":"o"}]}]"#

    static let rows: [(old: String, new: String, expected: [String])] = [
        ("Winter", "Spring", ["name: Winter → Spring"]),
        (#""placement":"paywall","#, "", ["placement: paywall → any in the app"]),
        (#""placement""#, #""priority":7,"placement""#, ["priority: 0 → 7"]),
        (#""exclusionGroup":"g","#, "", ["exclusionGroup: g → none"]),
        (
            #"{"from":"2026-03-01"}"#, #"{"until":"2026-04-01T00:00:00.250Z"}"#,
            ["schedule.from: 2026-03-01T00:00:00Z → publishing", "schedule.until: no end → 2026-04-01T00:00:00.250Z"]
        ),
        (#""variants""#, #""unit":"appTransaction","variants""#, ["unit: customer → appTransaction"]),
        (#""variants""#, #""enrolment":2550,"variants""#, ["enrolment: 100 % → 25.5 %"]),
        (#""variants""#, #""holdout":5,"variants""#, ["holdout: 0 % → 0.05 %"]),
        (
            #"{"perCustomer":1,"per":"P90D"}"#, #"{"perCustomer":2,"total":10}"#,
            ["limits.perCustomer: 1 → 2", "limits.per: P90D → for ever", "limits.total: none → 10"]
        ),
        (#""limits":{"perCustomer":1,"per":"P90D"},"#, "", ["limits.perCustomer: 1 → none", "limits.per: P90D → for ever"]),
        (
            #""variants""#, #""goal":{"metric":"retained","window":"P7D","expected":0.1,"detect":0.02},"variants""#,
            [
                "goal.metric: subscribed → retained", "goal.window: P14D → P7D", "goal.expected: none → 0.1",
                "goal.detect: none → 0.02",
            ]
        ),
        (#"["US","CA"]"#, #"["CA","US","MX"]"#, ["audience: attribute country (not verified) is one of US, CA → also MX"]),
        (
            #"["US","CA"]"#, #"["US","MX"]"#,
            ["audience: attribute country (not verified) is one of US, CA → also MX, no longer CA"]
        ),
        (#"["US","CA"]"#, #"["CA","US"]"#, []),
        (audience, "", ["audience: attribute country (not verified) is one of US, CA, and refunds is 0 → all customers"]),
        (#","is":0}"#, #","below":2}"#, ["audience: refunds is 0 → refunds is less than 2"]),
        (#","is":0}"#, #","is":1}"#, ["audience: refunds is 0 → 1"]),
        (#",{"fact":"refunds.count","is":0}"#, "", ["audience: no longer asks that: refunds is 0"]),
        (
            country, #"{"not":\#(country)},{"segment":"s"}"#,
            [
                "audience: no longer asks that: attribute country (not verified) is one of US, CA",
                "audience: also asks that: attribute country (not verified) is none of US, CA",
                "audience: also asks that: is in segment `s`",
            ]
        ),
        (
            #""all""#, #""any""#,
            [
                "audience: attribute country (not verified) is one of US, CA, and refunds is 0 → attribute country (not verified) is one of US, CA, or refunds is 0"
            ]
        ),
        ("4000", "5000", ["variant a: 40 % → 50 %"]),
        (#""id":"a""#, #""id":"b""#, ["variant a: taken out; it had 40 %, no offer", "variant b: new; it has 40 %, no offer"]),
        (#""weight":4000"#, #""weight":4000,"message":"m""#, ["variant a: also shows text m"]),
        (
            #""id":"a""#, #""id":"b","message":"m""#,
            ["variant a: taken out; it had 40 %, no offer", "variant b: new; it has 40 %, no offer, text m"]
        ),
        (#""offerId":"o"}"#, #""offerId":"o2"}"#, ["variant c: also offers o2 of p", "variant c: no longer offers o of p"]),
        (
            #"{"id":"a","weight":4000},{"id":"c","weight":6000,"offers":[{"productId":"p","offerId":"o"}]}"#,
            #"{"id":"c","weight":6000,"offers":[{"productId":"p","offerId":"o"}]},{"id":"a","weight":4000}"#,
            ["variants: in another order, which moves customers from one to another: c, a"]
        ),
    ]

    @Test("Another text, and one that is gone, are reported")
    func texts() throws {
        func variant(_ message: String?) throws -> Campaign {
            try campaign(
                #"{\#(Self.fields)"variants":[{"id":"a","weight":10000\#(message.map { #","message":"\#($0)""# } ?? "")}]}"#)
        }
        #expect(try variant("m").changes(to: variant("n")) == ["variant a: shows text n, no longer m"])
        #expect(try variant("m").changes(to: variant(nil)) == ["variant a: no longer shows text m"])
    }

    @Test("Each field is reported in words, and nothing else", arguments: rows)
    func wording(row: (old: String, new: String, expected: [String])) throws {
        let text = "{\(Self.fields)\(Self.audience)\(Self.variants)}"
        try #require(text.contains(row.old))
        #expect(try campaign(text).changes(to: campaign(text.replacing(row.old, with: row.new))) == row.expected)
    }

    @Test(
        "Of alternatives those are reported that come or go; what is nested is reported as a whole",
        arguments: [
            (#"{"any":[A,B]}"#, #"{"any":[B,C]}"#, ["refunds is 0 → 2"]),
            (#"{"any":[A,B]}"#, #"{"any":[B,A]}"#, []),
            (#"{"any":[A,B]}"#, #"{"any":[B]}"#, ["refunds is 0, or environment is Sandbox → environment is Sandbox"]),
            (#"{"any":[A,B]}"#, #"{"any":[B,A,S]}"#, ["also lets in: is in segment `s`"]),
            (#"{"any":[A,B,S]}"#, #"{"any":[B,A]}"#, ["no longer lets in: is in segment `s`"]),
            (
                #"{"all":[S,{"any":[A,B]}]}"#, #"{"all":[{"any":[B,C]},S]}"#,
                ["refunds is 0, or environment is Sandbox → environment is Sandbox, or refunds is 2"]
            ),
            (#"{"not":A}"#, #"{"not":C}"#, ["refunds is not 0 → 2"]),
            (#"{"not":A}"#, "A", ["refunds is not 0 → refunds is 0"]),
            (#"{"all":[A]}"#, "A", []),
            ("A", #"{"all":[A,S]}"#, ["also asks that: is in segment `s`"]),
        ])
    func conditions(row: (old: String, new: String, expected: [String])) throws {
        let letters = [
            ("A", #"{"fact":"refunds.count","is":0}"#), ("B", #"{"fact":"environment","is":"Sandbox"}"#),
            ("C", #"{"fact":"refunds.count","is":2}"#), ("S", #"{"segment":"s"}"#),
        ]
        let segments = try [row.old, row.new].map { condition in
            let text = condition.replacing(/[ABCS]/) { match in letters.first { $0.0 == match.0 }!.1 }
            return try Segment(json: JSONValue(parsing: Array(#"{"id":"s","name":"n","condition":\#(text)}"#.utf8)))
        }
        #expect(segments[0].changes(to: segments[1]) == row.expected.map { "condition: \($0)" })
    }

    @Test("Documents are compared by campaign and segment, whatever their order")
    func documents() throws {
        let first = try campaign("{\(Self.fields)\(Self.variants)}")
        var (second, third) = (first, first)
        (second.id, third.id) = ("second", "third")
        let segment = Segment(id: "s", name: "S", condition: .segment("t"))
        let old = CampaignDocument(campaigns: [first, second], segments: [segment])
        #expect(old.changes(to: CampaignDocument(campaigns: [second, first], segments: [segment])) == [])
        second.name = "Other"
        let changes = old.changes(to: CampaignDocument(campaigns: [third, second]))
        #expect(
            changes.map { "\($0.subject): \($0.lines.joined(separator: "|"))" } == [
                "campaign i of b: taken out: Winter; a 40 %, c 60 %; audience: all customers",
                "campaign second of b: name: Winter → Other",
                "campaign third of b: new: Winter; a 40 %, c 60 %; audience: all customers",
                "segment s: taken out: S; is in segment `t`",
            ])
    }

    @Test("What is the same has no difference, and of random campaigns every two have one")
    func random() {
        var source = RandomConditions(seed: 1)
        let campaigns = (0..<200).map { _ in RandomDocuments.campaign(&source) }
        for campaign in campaigns { #expect(campaign.changes(to: campaign) == []) }
        for (old, new) in zip(campaigns, campaigns.dropFirst()) where old != new { #expect(old.changes(to: new) != []) }
    }

    private func campaign(_ text: String) throws -> Campaign { try Campaign(json: JSONValue(parsing: Array(text.utf8))) }
}

import EligibilityRules
import Testing
import WireText

@testable import OfferService

@Suite("Campaigns as code")
struct CampaignDocumentTests {
    @Test("Whatever a document says, it says the same after it was written and read, and is written the same again")
    func roundTrip() throws {
        for seed in 0..<2000 as Range<UInt64> {
            let document = RandomDocuments.document(seed: seed)
            let bytes = document.json.bytes
            let read = try CampaignDocument(json: JSONValue(parsing: bytes))
            guard read == document, read.json.bytes == bytes else {
                Issue.record("seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
                return
            }
            for campaign in document.campaigns { #expect(try Campaign(json: campaign.json) == campaign) }
            for segment in document.segments { #expect(try Segment(json: segment.json) == segment) }
        }
    }

    @Test("The example of the contract is read field by field")
    func example() throws {
        let campaign = try Campaign(json: JSONValue(parsing: Array(Self.springWinBack.utf8)))
        let group = "20563228"
        let audience = Condition.all([
            .test(ConditionTest(.subscriptionState, group: group, .oneOf, ["expired"])),
            .test(ConditionTest(.subscriptionDaysSinceLapse, group: group, .between, [7, 90])),
            .test(ConditionTest(.attribute("country"), .oneOf, ["US", "CA"])),
            .not(.test(ConditionTest(.offersRedeemed, .contains, "winback50"))),
        ])
        #expect(
            campaign
                == Campaign(
                    id: "spring-winback", name: "Win back in spring", bundleID: "com.example.app",
                    slot: CampaignSlot(placement: "paywall", priority: 10, exclusionGroup: "winback"),
                    schedule: CampaignSchedule(
                        from: Instant(milliseconds: 1_772_323_200_000), until: Instant(milliseconds: 1_775_001_600_000)),
                    audience: audience, limits: CampaignLimits(perCustomer: 1, per: CalendarPeriod("P90D"), total: 10_000),
                    design: CampaignDesign(
                        unit: .customer, enrolment: 10_000, holdout: 500,
                        variants: [
                            CampaignVariant(id: "control", weight: 5000),
                            CampaignVariant(
                                id: "half", weight: 5000,
                                offers: [CampaignVariant.Offer(productID: "com.example.pro.monthly", offerID: "winback50")]),
                        ], goal: CampaignGoal(metric: .subscribed, window: CalendarPeriod("P14D")!, expected: 0.1, detect: 0.02)))
        )
    }

    @Test("Order of members does not matter, and what is left out has its default")
    func defaults() throws {
        let written = #"{"variants":[{"weight":10000,"id":"a"}],"bundleId":"b","name":"n","id":"i"}"#
        let campaign = try Campaign(json: JSONValue(parsing: Array(written.utf8)))
        #expect(
            campaign
                == Campaign(
                    id: "i", name: "n", bundleID: "b",
                    design: CampaignDesign(variants: [CampaignVariant(id: "a", weight: 10_000)])))
        #expect(
            String(decoding: campaign.json.bytes, as: UTF8.self)
                == #"{"id":"i","name":"n","bundleId":"b","priority":0,"unit":"customer","enrolment":10000,"holdout":0,"#
                + #""variants":[{"id":"a","weight":10000}],"goal":{"metric":"subscribed","window":"P14D"}}"#)
    }

    @Test("Every fault is reported with its path and the remedy", arguments: CampaignFaultRow.all)
    func faults(row: CampaignFaultRow) throws {
        let json = try JSONValue(parsing: Array(row.json.utf8))
        let found = #expect(throws: CampaignFaults.self) { try CampaignDocument(json: json) }
        #expect(found?.faults.map { "\($0.name): \($0.reason)" } == row.expected)
    }

    @Test("All faults are reported at once, in the order of the fields")
    func allAtOnce() throws {
        let text = #"{"campaigns":[{"id":7,"unit":"person","audience":{"all":[{"is":1},{"fact":"f"}]},"variants":[{}]},[]]}"#
        let json = try JSONValue(parsing: Array(text.utf8))
        let found = #expect(throws: CampaignFaults.self) { try CampaignDocument(json: json) }
        #expect(
            found?.faults.map(\.name) == [
                "campaigns[0].id", "campaigns[0].name", "campaigns[0].bundleId", "campaigns[0].unit",
                "campaigns[0].audience.all[0]", "campaigns[0].audience.all[1]", "campaigns[0].variants[0].weight",
                "campaigns[0].variants[0].id", "campaigns[1]",
            ])
    }

    @Test("In YAML a number is a text where a text is wanted, spelled as it was, and nowhere else")
    func bareNumbers() throws {
        let text =
            #"{"id":20563228,"name":1.10,"condition":{"all":["#
            + #"{"fact":"subscription.productId","group":20563228,"oneOf":[1e3,"x"]},{"attribute":"version","versionAtLeast":2.10},"#
            + #"{"attribute":"level","is":2.10},{"attribute":"joined","before":2026}]}}"#
        let json = try JSONValue(parsing: Array(text.utf8))
        let condition = Condition.all([
            .test(ConditionTest(.subscriptionProductID, group: "20563228", .oneOf, ["1e3", "x"])),
            .test(ConditionTest(.attribute("version"), .versionAtLeast, "2.10")),
            .test(ConditionTest(.attribute("level"), .is, 2.1)),
            .test(ConditionTest(.attribute("joined"), .before, "2026")),
        ])
        #expect(try Segment(json: json, .yaml) == Segment(id: "20563228", name: "1.10", condition: condition))
        let found = #expect(throws: CampaignFaults.self) { try Segment(json: json) }
        #expect(found?.faults.map(\.name) == ["condition.all[0].group", "id", "name"])
    }

    private static let springWinBack = """
        {"id": "spring-winback", "name": "Win back in spring", "bundleId": "com.example.app", "placement": "paywall",
         "priority": 10, "exclusionGroup": "winback",
         "schedule": {"from": "2026-03-01T00:00:00Z", "until": "2026-04-01T00:00:00Z"},
         "unit": "customer", "enrolment": 10000, "holdout": 500,
         "audience": {"all": [
           {"fact": "subscription.state", "group": "20563228", "oneOf": ["expired"]},
           {"fact": "subscription.daysSinceLapse", "group": "20563228", "between": [7, 90]},
           {"attribute": "country", "oneOf": ["US", "CA"]},
           {"not": {"fact": "offers.redeemed", "contains": "winback50"}}]},
         "limits": {"perCustomer": 1, "per": "P90D", "total": 10000},
         "variants": [{"id": "control", "weight": 5000},
           {"id": "half", "weight": 5000, "offers": [{"productId": "com.example.pro.monthly", "offerId": "winback50"}]}],
         "goal": {"metric": "subscribed", "window": "P14D", "expected": 0.10, "detect": 0.02}}
        """
}

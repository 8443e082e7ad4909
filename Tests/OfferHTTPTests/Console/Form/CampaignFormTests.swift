import EligibilityRules
import FoundationEssentials
import OfferService
import Testing
import WireText

@testable import OfferHTTP

@Suite("The form of a campaign")
struct CampaignFormTests {
    private static let berlin = TimeZone(iana: "Europe/Berlin")!

    @Test("A campaign with any values comes back from its form the same", arguments: 0..<2000 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        for var campaign in RandomDocuments.document(seed: seed).campaigns {
            // What is empty in a form is left out.
            if campaign.hypothesis == "" { campaign.hypothesis = nil }
            campaign.tags = campaign.tags.flatMap { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
            if campaign.slot.placement == "" { campaign.slot.placement = nil }
            if campaign.slot.exclusionGroup == "" { campaign.slot.exclusionGroup = nil }
            // The copies of segments stay beside the form.
            campaign.segments = []
            if campaign.limits == CampaignLimits() { campaign.limits = nil }
            let form = CampaignForm(campaign.json, in: Self.berlin)
            let text = form.json(bundleID: campaign.bundleID, in: Self.berlin)
            #expect(try Campaign(json: text) == campaign)
            // And what was typed comes back from what is kept.
            #expect(CampaignForm(text, in: Self.berlin) == form)
        }
    }

    @Test(
        "What is no number is kept as it was typed, and told of",
        arguments: [
            ("enrolment", "lots", "enrolment"), ("holdout", "5 percent", "holdout"), ("priority", "high", "priority"),
            ("perCustomer", "one", "limits.perCustomer"), ("per", "ninety", "limits.per"), ("total", "1e", "limits.total"),
            ("expected", "few", "goal.expected"), ("v.0.weight", "half", "variants[0].weight"),
            ("v.0.weight", "12.505", "variants[0].weight"),
            ("from", "tomorrow", "schedule.from"), ("until", "31.12.2026", "schedule.until"),
        ])
    func typed(row: (field: String, typed: String, path: String)) throws {
        var fields = Self.fields
        fields[row.field] = [row.typed]
        let form = CampaignForm(fields)
        let text = CampaignText(json: form.json(bundleID: "com.example.app", in: Self.berlin))
        #expect(text.faults.map(\.name) == [row.path])
        let again = CampaignForm(text.json, in: Self.berlin)
        #expect("\(again)".contains(row.typed))
        #expect(again.json(bundleID: "com.example.app", in: Self.berlin) == text.json)
    }

    @Test("A segment is a row, in or not in, and another fact takes its place with a comparison of its own")
    func segments() {
        for json in [#"{"segment":"lapsed"}"#, #"{"not":{"segment":"lapsed"}}"#] {
            let node = ConditionNode(try! JSONValue(parsing: Array(json.utf8)))
            guard case .test(let test) = node else { return #expect(Bool(false), "\(node)") }
            #expect(test.isSegment && test.value == "lapsed" && String(decoding: node.json.bytes, as: UTF8.self) == json)
        }
        let sent = ["c.0.fact": ["segment"], "c.0.was": ["subscription.state"], "c.0.op": ["oneOf"], "c.0.value": ["expired"]]
        #expect(String(decoding: ConditionNode(sent, id: "c.0").json.bytes, as: UTF8.self) == #"{"segment":""}"#)
    }

    @Test(
        "Prices are money, whatever they are compared with",
        arguments: [
            (["op": "above", "value": "9.99"], #"{"fact":"subscription.price","group":"1","above":9990}"#),
            (
                ["op": "between", "value": "0.5", "end": "1,000"],
                #"{"fact":"subscription.price","group":"1","between":[500,1000000]}"#
            ),
            (["op": "oneOf", "value": "9.90\n10"], #"{"fact":"subscription.price","group":"1","oneOf":[9900,10000]}"#),
        ])
    func prices(fields: [String: String], json: String) throws {
        var sent = ["c.0.fact": ["subscription.price"], "c.0.was": ["subscription.price"], "c.0.group": ["1"]]
        for (name, value) in fields { sent["c.0.\(name)"] = [value] }
        let node = ConditionNode(sent, id: "c.0")
        #expect(node.json == (try JSONValue(parsing: Array(json.utf8))))
        #expect(ConditionNode(node.json).json == node.json)
        guard case .test(let test) = ConditionNode(node.json) else { return #expect(Bool(false), "no row") }
        #expect(test.value == (fields["value"] == "0.5" ? "0.50" : fields["value"]))
    }

    @Test("Codes may have commas between them; what is no list of codes is one value, and a code with a comma is left as it is")
    func commas() throws {
        func node(_ value: String) -> JSONValue? {
            ConditionNode(
                [
                    "c.0.fact": ["attribute"], "c.0.was": ["attribute"], "c.0.name": ["country"], "c.0.op": ["oneOf"],
                    "c.0.value": [value],
                ],
                id: "c.0"
            ).json.member("oneOf")
        }
        func list(_ values: [String]) -> JSONValue { .array(values.map(JSONValue.string)) }
        #expect(node("US, CA,DE\nFR") == list(["US", "CA", "DE", "FR"]))
        #expect(node("Paris, Texas\n c ") == list(["Paris, Texas", " c "]))
        let kept = JSONValue.members(["attribute": .string("country"), "oneOf": list(["US,CA"])])
        #expect(ConditionNode(kept).json == kept)
    }

    @Test("Percentages are basis points, and points are shares")
    func units() throws {
        let campaign = try #require(
            CampaignText(json: CampaignForm(Self.fields).json(bundleID: "com.example.app", in: Self.berlin)).campaign)
        #expect(campaign.design.enrolment == 1250)
        #expect(campaign.design.holdout == 50)
        #expect(campaign.design.variants.map(\.weight) == [3334, 6666])
        #expect(campaign.design.goal.expected == 0.06)
        #expect(campaign.design.goal.detect == 0.016)
        #expect(campaign.limits == CampaignLimits(perCustomer: 1, per: CalendarPeriod("P90D"), total: 10_000))
        #expect(campaign.schedule.from?.iso8601 == "2026-12-01T08:00:00Z")
        // A day without a time ends with the day.
        #expect(campaign.schedule.until?.iso8601 == "2026-12-31T22:59:00Z")
        #expect(campaign.audience == .all([.test(ConditionTest(.subscriptionPaidPeriods, group: "1", .above, 3))]))
    }

    @Test("A time in the hour that comes twice stays the one it was")
    func repeatedHour() throws {
        // 02:30 in Berlin on 25 October 2026 is 00:30 and 01:30 in UTC.
        for (which, instant) in [("0", "2026-10-25T00:30:00Z"), ("1", "2026-10-25T01:30:00Z")] {
            let json = JSONValue.members(["variants": .array([]), "schedule": .members(["from": .string(instant)])])
            let form = CampaignForm(json, in: Self.berlin)
            #expect(form.from == MomentFields(date: "2026-10-25", time: "02:30", which: which))
            #expect(form.json(bundleID: "a", in: Self.berlin).member("schedule")?.member("from") == .string(instant))
        }
    }

    @Test("Buttons build conditions and variants")
    func steps() {
        var form = CampaignForm(Self.fields)
        #expect(EditorStep("add:c").apply(to: &form, fact: "refunds.count", group: "1") == "c.1")
        #expect(EditorStep("group:c").apply(to: &form, fact: "subscription.storefront", group: "1") == "c.2.0")
        #expect(EditorStep("add:c.2").apply(to: &form, fact: "introductory.used", group: "1") == "c.2.1")
        guard case .group(.all, let parts) = form.audience, case .group(.any, let inner) = parts[2] else {
            Issue.record("\(form.audience)")
            return
        }
        #expect(parts.count == 3 && inner.count == 2)
        _ = EditorStep("remove:c.2.0").apply(to: &form, fact: "", group: "")
        _ = EditorStep("remove:c.2.0").apply(to: &form, fact: "", group: "")
        // A group goes with its last condition.
        #expect(form.audience.count(of: "c") == 2)
        #expect(EditorStep("add-variant").apply(to: &form, fact: "", group: "") == "v.2.id")
        _ = EditorStep("even").apply(to: &form, fact: "", group: "")
        #expect(form.variants.map(\.weight) == ["33.34", "33.33", "33.33"])
        _ = EditorStep("remove-variant:1").apply(to: &form, fact: "", group: "")
        #expect(form.variants.map(\.id) == ["control", "offer-1"])
    }

    @Test("Where two have changed a campaign, changes of both are kept; of the same field one's own")
    func merge() throws {
        let base = try JSONValue(
            parsing: Array(#"{"name":"a","priority":1,"goal":{"metric":"subscribed","window":"P14D"}}"#.utf8))
        let theirs = try JSONValue(
            parsing: Array(#"{"name":"b","priority":2,"goal":{"metric":"retained","window":"P14D"}}"#.utf8))
        let mine = try JSONValue(
            parsing: Array(#"{"name":"c","priority":1,"goal":{"metric":"subscribed","window":"P7D"},"unit":"customer"}"#.utf8))
        let merged = CampaignMerge.json(base: base, theirs: theirs, mine: mine)
        #expect(
            String(decoding: merged.bytes, as: UTF8.self)
                == #"{"name":"c","priority":2,"goal":{"metric":"retained","window":"P7D"},"unit":"customer"}"#)
    }

    private static let fields: [String: [String]] = [
        "id": ["x"], "name": ["X"], "unit": ["customer"], "enrolment": ["12.5"], "holdout": ["0.5"], "metric": ["subscribed"],
        "window": ["14"], "window-unit": ["D"], "expected": ["6"], "detect": ["1.6"], "perCustomer": ["1"], "per": ["90"],
        "per-unit": ["D"], "total": ["10,000"], "from": ["2026-12-01"], "from-time": ["09:00"], "until": ["2026-12-31"],
        "c.kind": ["all"], "c.n": ["1"], "c.0.fact": ["subscription.paidPeriods"], "c.0.was": ["subscription.paidPeriods"],
        "c.0.group": ["1"], "c.0.op": ["above"], "c.0.value": ["3"], "v.n": ["2"], "v.0.id": ["control"],
        "v.0.weight": ["33.34"], "v.1.id": ["half"], "v.1.weight": ["66.66"],
        "v.1.offer": [VariantFields.choice(productID: "p", offerID: "o")],
    ]
}

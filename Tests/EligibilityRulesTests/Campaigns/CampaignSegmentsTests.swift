import Testing

@testable import EligibilityRules

@Suite("Copies of segments in a campaign")
struct CampaignSegmentsTests {
    private static func segment(_ id: String, _ condition: Condition, version: Int = 1) -> Segment {
        Segment(id: id, name: id, condition: condition, version: version)
    }

    private static func campaign(_ audience: Condition?) -> Campaign {
        Campaign(
            id: "c", name: "c", bundleID: "b", audience: audience,
            design: CampaignDesign(variants: [
                CampaignVariant(id: "v", weight: Bucket.count, offers: [ValidationRow.offer("half")])
            ]))
    }

    @Test("A campaign gets those that it names, and those that they name, each from the first source that has it")
    func copies() {
        let first = Segments([Self.segment("outer", .not(.segment("inner")), version: 3)])
        let second = Segments([
            Self.segment("inner", ValidationRow.state("active")), Self.segment("outer", ValidationRow.state("expired")),
            Self.segment("other", ValidationRow.state("expired")),
        ])
        let copy = Self.campaign(.all([.segment("outer"), .segment("missing")])).withSegments(from: [first, second])
        #expect(copy.segments.map(\.id) == ["inner", "outer"])
        #expect(copy.segments.map(\.version) == [1, 3])
        #expect(Self.campaign(nil).withSegments(from: [second]).segments.isEmpty)
        // Those that name each other come once.
        let circle = Segments([Self.segment("egg", .segment("hen")), Self.segment("hen", .segment("egg"))])
        #expect(Self.campaign(.segment("egg")).withSegments(from: [circle]).segments.map(\.id) == ["egg", "hen"])
    }

    @Test("Its copies decide, whatever segment of the same id there is")
    func decide() {
        var campaign = Self.campaign(.segment("who"))
        let always = Condition.not(.test(ConditionTest(.refundsCount, .above, 5)))
        let never = Condition.test(ConditionTest(.refundsCount, .above, 5))
        for (own, shared, takes) in [(always, never, true), (never, always, false)] {
            campaign.segments = [Self.segment("who", own)]
            let compiled = CompiledCampaigns(
                [CampaignRevision(campaign, number: 1)], segments: Segments([Self.segment("who", shared)]))
            #expect(compiled.refused.isEmpty)
            let customer = Customer(
                history: PurchaseHistory([]), completeness: .complete, catalogue: Shop.catalogue, policy: EligibilityPolicy(),
                now: ValidationRow.now)
            let context = CampaignContext(
                facts: CustomerFacts(of: customer, historyUpdatedAt: nil), attributes: .none,
                identity: BucketingIdentity(customerID: "u"), placement: nil)
            #expect(compiled.decide(context).assignments.isEmpty == !takes)
            #expect(compiled.explain(context).decision.assignments.isEmpty == !takes)
        }
        campaign.segments = []
        #expect(CompiledCampaigns([CampaignRevision(campaign, number: 1)], segments: .none).refused.count == 1)
    }

    @Test("In words a segment has its name and its condition, and another inside it its id")
    func words() {
        let segments = Segments([Self.segment("egg", .any([ValidationRow.state("active"), .segment("hen")]))])
        #expect(ConditionText.words(.segment("egg")) == "is in segment `egg`")
        #expect(
            ConditionText.words(.segment("egg"), segments: segments)
                == "the customer is in “egg” (subscription state in group main is active, or is in segment `hen`)")
    }
}

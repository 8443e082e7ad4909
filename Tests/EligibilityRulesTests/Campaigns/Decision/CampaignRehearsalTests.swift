import Testing

@testable import EligibilityRules

@Suite("Rehearsals of campaigns")
struct CampaignRehearsalTests {
    private static let half = CampaignVariant.Offer(productID: "monthly", offerID: "half")

    private static func context(_ customerID: String? = "u-1", placement: String? = nil, chains: [PurchaseChain] = [])
        -> CampaignContext
    {
        let customer = Customer(
            history: PurchaseHistory(chains), completeness: .complete, catalogue: Shop.catalogue, policy: EligibilityPolicy(),
            now: Month.now)
        let facts = CustomerFacts(of: customer, historyUpdatedAt: nil)
        return CampaignContext(
            facts: facts, identity: BucketingIdentity(customerID: customerID, facts: facts), placement: placement)
    }

    /// No customer gets it: it is over, lets in 0 %, and its audience is empty.
    private static func closed(
        _ id: String = "a",
        number: Int = 0,
        priority: Int = 0,
        group: String? = nil,
        placement: String? = nil,
        variants: [String] = ["control", "half"]
    ) -> CampaignRevision {
        let never = Condition.test(ConditionTest(.attribute("country"), .exists, .boolean(true)))
        return CampaignRevision(
            Campaign(
                id: id, name: id, bundleID: "b",
                slot: CampaignSlot(placement: placement, priority: priority, exclusionGroup: group),
                schedule: CampaignSchedule(until: Instant(milliseconds: 1)), audience: never,
                limits: CampaignLimits(perCustomer: 1),
                design: CampaignDesign(
                    enrolment: 0, holdout: 10_000,
                    variants: variants.map {
                        CampaignVariant(id: $0, weight: 10_000 / variants.count, offers: $0 == "control" ? [] : [half])
                    })), number: number)
    }

    private static func open(_ id: String, group: String? = nil) -> CampaignRevision {
        CampaignRevision(
            Campaign(
                id: id, name: id, bundleID: "b", slot: CampaignSlot(priority: 9, exclusionGroup: group),
                design: CampaignDesign(variants: [CampaignVariant(id: "all", weight: 10_000, offers: [half])])), number: 4)
    }

    private static func decide(
        _ context: CampaignContext,
        _ tried: [(revisions: [CampaignRevision], testers: [CampaignTester])],
        beside revisions: [CampaignRevision] = []
    ) -> [String] {
        CompiledCampaigns(revisions, segments: .none).decide(context, rehearsing: CampaignRehearsals(tried)).assignments.map {
            let rehearsal = $0.rehearsal.map { $0.isOutsideAudience ? " outside" : " tried" } ?? ""
            return "\($0.campaignID) \($0.revision.number) \($0.variant)\(rehearsal)"
        }
    }

    @Test("A tester gets the variant whatever the campaign asks for, and no other customer does")
    func forced() {
        let tried = [
            ([Self.closed()], [CampaignTester(id: "u-1", variant: "half"), CampaignTester(id: "u-2", variant: "control")])
        ]
        #expect(Self.decide(Self.context(), tried) == ["a 0 half outside"])
        #expect(Self.decide(Self.context("u-2"), tried) == ["a 0 control outside"])
        #expect(Self.decide(Self.context("u-3"), tried) == [])
        #expect(Self.decide(Self.context(nil), tried) == [])
        let decision = CompiledCampaigns.none.decide(Self.context(), rehearsing: CampaignRehearsals(tried))
        #expect(decision.offers.map(\.offer) == [Self.half])
        // Testers use nothing up.
        #expect(decision.offers[0].limits == nil && decision.offers[0].assignment.revision.campaign.limits != nil)
        var context = Self.context()
        context.attributes = Attributes(["country": .text("US")])
        #expect(Self.decide(context, tried) == ["a 0 half tried"])
    }

    @Test("The first version that has the variant counts; without any the customer is like every other")
    func versions() {
        let versions = [Self.closed(variants: ["control", "new"]), Self.closed(number: 3)]
        func tried(_ variant: String) -> [String] {
            Self.decide(Self.context(), [(versions, [CampaignTester(id: "u-1", variant: variant)])], beside: [Self.open("z")])
        }
        #expect(tried("new") == ["a 0 new outside", "z 4 all"])
        #expect(tried("control") == ["a 0 control outside", "z 4 all"])
        #expect(tried("half") == ["a 3 half outside", "z 4 all"])
        #expect(tried("gone") == ["z 4 all"])
    }

    @Test("What cannot be compiled is tried by no tester")
    func unreadable() {
        let broken = CampaignRevision(
            Campaign(
                id: "a", name: "a", bundleID: "b", design: CampaignDesign(variants: [CampaignVariant(id: "half", weight: 1)])),
            number: 0)
        let tester = [CampaignTester(id: "u-1", variant: "half")]
        #expect(Self.decide(Self.context(), [([broken], tester)]) == [])
        #expect(Self.decide(Self.context(), [([broken, Self.closed(number: 2)], tester)]) == ["a 2 half outside"])
    }

    @Test("A tester is met once, before what counts, and of the exclusion group gets nothing else")
    func beside() {
        let tester = [CampaignTester(id: "u-1", variant: "half")]
        let others = [Self.open("a"), Self.open("g", group: "x"), Self.open("z")]
        #expect(
            Self.decide(Self.context(), [([Self.closed(group: "x")], tester)], beside: others) == ["a 0 half outside", "z 4 all"])
        let both = [([Self.closed("b", group: "x")], tester), ([Self.closed("c", priority: 2, group: "x")], tester)]
        #expect(Self.decide(Self.context(), both) == ["c 0 half outside"])
        #expect(Self.decide(Self.context("u-2"), both, beside: others) == ["a 4 all", "g 4 all", "z 4 all"])
    }

    @Test(
        "What is for a placement is tried there only",
        arguments: [(nil, true), ("paywall", true), ("settings", false), ("retention", false)])
    func placement(asked: String?, isMet: Bool) {
        let tried = [([Self.closed(placement: "paywall")], [CampaignTester(id: "u-1", variant: "half")])]
        #expect(Self.decide(Self.context(placement: asked), tried).isEmpty == !isMet)
        let retention = [([Self.closed(placement: "retention")], [CampaignTester(id: "u-1", variant: "half")])]
        #expect(Self.decide(Self.context(placement: asked), retention).isEmpty == (asked != "retention"))
    }

    @Test("Any purchase names the tester, not only the first", arguments: ["100", "200"])
    func names(id: String) {
        let chains = ["100", "200"].map { id in
            PurchaseChain(
                originalID: id, groupID: "1",
                transactions: [
                    PurchaseTransaction(
                        id: id, productID: "monthly", purchasedAt: Instant(milliseconds: Int64(id)!), state: .init(expiry: nil))
                ])
        }
        let tester = CampaignTester(kind: .originalTransaction, id: id, variant: "half")
        #expect(Self.decide(Self.context(nil, chains: chains), [([Self.closed()], [tester])]) == ["a 0 half outside"])
        let customer = CampaignTester(id: id, variant: "half")
        #expect(Self.decide(Self.context(nil, chains: chains), [([Self.closed()], [customer])]) == [])
    }
}

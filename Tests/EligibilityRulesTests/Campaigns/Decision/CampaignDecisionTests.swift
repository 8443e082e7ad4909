import TestRandomness
import Testing

@testable import EligibilityRules

@Suite("Decisions about campaigns")
struct CampaignDecisionTests {
    private static let half = CampaignVariant.Offer(productID: "monthly", offerID: "half")
    private static let third = CampaignVariant.Offer(productID: "monthly", offerID: "third")

    private static func context(placement: String? = nil) -> CampaignContext {
        let customer = Customer(
            history: PurchaseHistory(), completeness: .none, catalogue: Shop.catalogue, policy: EligibilityPolicy(),
            now: Month.now)
        return CampaignContext(
            facts: CustomerFacts(of: customer, historyUpdatedAt: nil), identity: BucketingIdentity(customerID: "u-1"),
            placement: placement)
    }

    private static func campaign(
        _ id: String,
        priority: Int = 0,
        group: String? = nil,
        placement: String? = nil,
        offers: [CampaignVariant.Offer] = [half]
    ) -> CampaignRevision {
        CampaignRevision(
            Campaign(
                id: id, name: id, bundleID: "b",
                slot: CampaignSlot(placement: placement, priority: priority, exclusionGroup: group),
                design: CampaignDesign(variants: [CampaignVariant(id: "a", weight: 10_000, offers: offers)])), number: 3)
    }

    private static func taken(_ revisions: [CampaignRevision], _ context: CampaignContext) -> [String] {
        CompiledCampaigns(revisions, segments: .none).decide(context).assignments.map(\.campaignID)
    }

    /// Two thousand sets of campaigns in ten parts.
    private static let parts = (0..<10 as Range<UInt64>).map { part -> Range<UInt64> in part * 200..<part * 200 + 200 }

    @Test("What is served, what explains itself and another reading of the contract are the same", arguments: parts)
    func same(seeds: Range<UInt64>) {
        for seed in seeds {
            var source = RandomConditions(seed: seed ^ 0xcafe)
            let revisions = RandomCampaigns.revisions(&source)
            let campaigns = CompiledCampaigns(revisions, segments: RandomConditions.segments)
            #expect(campaigns.refused.isEmpty)
            let alone = revisions.map { CompiledCampaigns([$0], segments: RandomConditions.segments) }
            for _ in 0..<4 {
                var context = RandomCustomers.context(seed: source.random.next() % 500)
                if source.random.once(in: 4) {
                    context.holders = [ExactText("g"): ExactText(source.random.any(of: ["c1", "gone"]))]
                }
                if source.random.once(in: 4) { context.spentCampaigns = [ExactText("c2"), ExactText("c5")] }
                let decision = campaigns.decide(context)
                let evaluation = campaigns.explain(context)
                let explained = evaluation.campaigns.compactMap { explanation -> CampaignAssignment? in
                    if case .passedOver = explanation.allocation {
                        nil
                    } else {
                        CampaignAssignment(explanation.revision, explanation.allocation)
                    }
                }
                let reported = decision.assignments.map { "\($0.campaignID) \($0.variant)" }
                guard explained == decision.assignments, evaluation.decision == decision,
                    reported == RandomCampaigns.naive(revisions, context), namesObstacles(evaluation, alone, context)
                else {
                    Issue.record(
                        "seed \(seed): \(reported), \(explained.map(\.campaignID)), \(RandomCampaigns.naive(revisions, context))")
                    return
                }
            }
        }
    }

    /// Whether what explains itself names placement, time and audience just where what is served passes over for them.
    private func namesObstacles(_ evaluation: CampaignEvaluation, _ alone: [CompiledCampaigns], _ context: CampaignContext)
        -> Bool
    {
        var unspent = context
        (unspent.spentCampaigns, unspent.holders) = ([], [:])
        return evaluation.campaigns.allSatisfy { explanation in
            let served = alone.first { $0.revisions == [explanation.revision] }!
            let obstacles = explanation.obstacles
            let others: [CampaignObstacle] = obstacles.filter {
                if case .exclusionGroup = $0 { false } else { $0 != .limitReached }
            }
            return obstacles.contains(.placement) == !served.isFor(context.placement)
                && obstacles.contains(.audience) == !served.hasInAudience(context)
                && others.isEmpty == !served.decide(unspent).assignments.isEmpty
        }
    }

    @Test("The higher priority decides first, then the id; of the same offer the first counts")
    func order() {
        let revisions = [Self.campaign("b"), Self.campaign("a"), Self.campaign("z", priority: 5, offers: [Self.third])]
        let decision = CompiledCampaigns(revisions, segments: .none).decide(Self.context())
        #expect(decision.assignments.map(\.campaignID) == ["z", "a", "b"])
        #expect(decision.offers.map(\.offer) == [Self.third, Self.half])
        #expect(decision.offers.map(\.assignment.campaignID) == ["z", "a"])
        #expect(decision.offer(forProduct: "monthly")?.offer == Self.third)
    }

    @Test("Campaigns of one exclusion group take a customer once, control and those held out included")
    func exclusion() {
        let control = Self.campaign("a", priority: 1, group: "g", offers: [])
        #expect(
            Self.taken([control, Self.campaign("b", group: "g"), Self.campaign("c", group: "h")], Self.context()) == ["a", "c"])
        var held = control.campaign
        held.design.holdout = 10_000
        let decision = CompiledCampaigns([CampaignRevision(held, number: 1), Self.campaign("b", group: "g")], segments: .none)
            .decide(Self.context())
        #expect(decision.assignments.map(\.variant) == ["holdout"] && decision.offers.isEmpty)
    }

    @Test("Who was taken by a campaign before is taken by no other of its group")
    func holders() {
        var context = Self.context()
        context.holders = [ExactText("g"): ExactText("b")]
        let revisions = [Self.campaign("a", priority: 1, group: "g"), Self.campaign("b", group: "g")]
        #expect(Self.taken(revisions, context) == ["b"])
        #expect(
            CompiledCampaigns(revisions, segments: .none).explain(context).campaigns[0].obstacles == [
                .exclusionGroup(takenBy: "b")
            ])
    }

    @Test("What is used up is passed over, and leaves the customer to the next of its group")
    func spent() {
        var context = Self.context()
        context.spentCampaigns = [ExactText("a")]
        let revisions = [Self.campaign("a", priority: 1, group: "g"), Self.campaign("b", group: "g")]
        #expect(Self.taken(revisions, context) == ["b"])
        context = Self.context()
        context.withheldOffers = [Self.half]
        let decision = CompiledCampaigns([Self.campaign("a", offers: [Self.half, Self.third])], segments: .none).decide(context)
        #expect(decision.offers.map(\.offer) == [Self.third] && decision.assignments.count == 1)
    }

    @Test(
        "A campaign with a placement is passed over where another is named; the App Store's questions are apart",
        arguments: [
            (nil, nil, true), (nil, "paywall", true), ("paywall", nil, true), ("paywall", "paywall", true),
            ("paywall", "settings", false), ("retention", nil, false), (nil, "retention", false),
            ("retention", "retention", true),
        ] as [(String?, String?, Bool)])
    func placement(own: String?, asked: String?, isTaken: Bool) {
        #expect(Self.taken([Self.campaign("a", placement: own)], Self.context(placement: asked)).isEmpty != isTaken)
    }

    @Test("A campaign that cannot be read is left out and told of, and the others decide")
    func refused() {
        var broken = Self.campaign("a").campaign
        broken.audience = .segment("missing")
        var heavy = Self.campaign("c").campaign
        heavy.design.variants = [CampaignVariant(id: "a", weight: .max), CampaignVariant(id: "b", weight: .max)]
        let revisions = [CampaignRevision(broken, number: 1), Self.campaign("b"), CampaignRevision(heavy, number: 1)]
        let campaigns = CompiledCampaigns(revisions, segments: .none)
        #expect(campaigns.decide(Self.context()).assignments.map(\.campaignID) == ["b"])
        #expect(campaigns.refused.map { $0.findings[0].code } == [.unknownSegment, .invalidWeight])
    }

    @Test("Every reason is named, with the buckets and with the test that failed and the value it saw")
    func explanation() throws {
        var campaign = Self.campaign("a").campaign
        campaign.schedule = CampaignSchedule(from: Month.now.advanced(by: 1))
        campaign.audience = .all([
            .test(ConditionTest(.subscriptionState, group: "main", .is, "active")), .not(.segment("new")),
        ])
        let segments = Segments([
            Segment(id: "new", name: "New", condition: .test(ConditionTest(.offersRedeemedCount, .below, 1)))
        ])
        let campaigns = CompiledCampaigns([CampaignRevision(campaign, number: 1)], segments: segments)
        let explanation = campaigns.explain(Self.context()).campaigns[0]
        #expect(explanation.obstacles == [.notStarted, .audience] && explanation.allocation == .passedOver(.notStarted))
        let failed = try #require(explanation.audience).obstacles()
        #expect(failed.map(\.path) == ["audience.all[0]", "condition"])
        #expect(failed.map(\.value) == ["never", 0])
        #expect(explanation.buckets[.variant] == Bucket(key: "a:variant:u-1") && explanation.unit == "u-1")
    }
}

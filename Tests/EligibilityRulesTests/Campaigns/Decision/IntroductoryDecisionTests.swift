import Testing

@testable import EligibilityRules

@Suite("Introductory offers that campaigns give or withhold")
struct IntroductoryDecisionTests {
    private static func campaign(again: Bool = false, priority: Int = 0, id: String = "trial", _ isAllowed: Bool?) -> Campaign {
        Campaign(
            id: id, name: id, bundleID: "b", slot: CampaignSlot(priority: priority),
            design: CampaignDesign(
                variants: [
                    CampaignVariant(
                        id: "all", weight: 10_000,
                        introductoryOffer: isAllowed.map {
                            CampaignVariant.IntroductoryOffer(productID: "monthly", isAllowed: $0)
                        })
                ], givesIntroductoryOfferAgain: again))
    }

    private static func decide(
        _ campaigns: [Campaign],
        _ chains: [PurchaseChain] = [],
        onlyIntroductory: Bool = false
    ) -> (decision: CampaignDecision, customer: Customer) {
        let customer = Customer(
            history: PurchaseHistory(chains), completeness: .complete, catalogue: Shop.catalogue, policy: EligibilityPolicy(),
            now: Month.now)
        let facts = CustomerFacts(of: customer, historyUpdatedAt: nil)
        var context = CampaignContext(facts: facts, identity: BucketingIdentity(customerID: "u-1", facts: facts))
        context.scope = onlyIntroductory ? .introductoryOffers : .all
        let compiled = CompiledCampaigns(campaigns.map { CampaignRevision($0, number: 1) }, segments: .none)
        return (compiled.decide(context), customer)
    }

    private static let used = Chain("o1").trial(1).period(2)
    private static let stories: [(String, Chain?, Bool, Bool, CampaignIntroductoryOffer.Outcome?)] = [
        // A customer who may have it gets it without an override: their Apple account may have used it under another name.
        ("new", nil, true, false, .notNeeded), ("new", nil, true, true, .notNeeded),
        ("new", nil, false, false, .override(allowed: false)), ("new", nil, false, true, .override(allowed: false)),
        ("lapsed without", Chain("o1").period(1), true, false, .notNeeded),
        ("has used it", used, true, false, nil), ("has used it", used, true, true, .override(allowed: true)),
        ("has used it", used, false, true, .override(allowed: false)),
        ("history is cut", Chain("o1").cut.period(2), true, false, nil),
        ("history is cut", Chain("o1").cut.period(2), true, true, nil),
        ("is subscribed", Chain("o1").period(6), true, true, nil),
        ("has used it and is subscribed", Chain("o1").trial(1).period(6), true, true, nil),
        ("has used it and is subscribed", Chain("o1").trial(1).period(6), false, true, .override(allowed: false)),
    ]

    @Test("A trial is given a second time only where the campaign says so, and never to a subscriber", arguments: stories.indices)
    func outcomes(_ index: Int) throws {
        let (story, chain, isAllowed, again, expected) = Self.stories[index]
        let (decision, customer) = Self.decide([Self.campaign(again: again, isAllowed)], [chain?.purchases].compactMap(\.self))
        let given = try #require(decision.introductoryOffers.first)
        let verdict = IntroductoryOfferRule.verdict(on: Shop.catalogue.product("monthly")!, for: customer)
        let product = Shop.catalogue.product("monthly")!
        #expect(given.outcome(on: product, for: customer, verdict) == expected, "\(story)")
        #expect(given.outcome(on: product, for: customer, Verdict(.noOffer, .noIntroductoryOffer)) == nil)
    }

    @Test("The second trial needs an end that is certain, and an Apple account without another customer's trial or subscription")
    func doubts() throws {
        func outcome(_ own: [PurchaseChain], account: [PurchaseChain] = []) throws -> CampaignIntroductoryOffer.Outcome? {
            let (decision, _) = Self.decide([Self.campaign(again: true, true)])
            let customer = Customer(
                history: PurchaseHistory(own), accountChains: account,
                completeness: .complete, catalogue: Shop.catalogue, policy: EligibilityPolicy(), now: Month.now)
            let product = Shop.catalogue.product("monthly")!
            let verdict = IntroductoryOfferRule.verdict(on: product, for: customer)
            return try #require(decision.introductoryOffers.first).outcome(on: product, for: customer, verdict)
        }
        let used = Self.used.purchases
        #expect(try outcome([used]) == .override(allowed: true))
        // It ended a few days ago, and it is not known whether it was renewed.
        #expect(try outcome([Chain("o1").trial(4).period(5).purchases]) == nil)
        // Another customer of the app has the same Apple account: with a trial of its own, or a subscription that runs.
        #expect(try outcome([used], account: [Chain("o2").trial(2).purchases]) == nil)
        #expect(try outcome([used], account: [Chain("o2").period(6).purchases]) == nil)
        #expect(try outcome([used], account: [Chain("o2").period(2).purchases]) == .override(allowed: true))
        #expect(try outcome([], account: [used]) == nil)
    }

    @Test("For each product the first campaign decides that says something about it")
    func firstDecides() {
        let campaigns = [
            Self.campaign(priority: 3, id: "silent", nil), Self.campaign(priority: 2, id: "first", false),
            Self.campaign(priority: 1, id: "second", true),
        ]
        let (decision, _) = Self.decide(campaigns)
        #expect(decision.assignments.map(\.campaignID) == ["silent", "first", "second"])
        #expect(decision.introductoryOffers.map(\.assignment.campaignID) == ["first"])
        // Who can get no promotional offer is taken only by campaigns that decide about introductory offers.
        let (only, _) = Self.decide(campaigns, onlyIntroductory: true)
        #expect(only.assignments.map(\.campaignID) == ["first", "second"])
    }

    @Test("Only a trial that the campaign gives again costs something")
    func cost() {
        let product = SubscriptionProduct(
            id: "monthly", groupID: "main", level: 1, period: "P1M",
            introductoryOffer: SubscriptionOffer(kind: .freeTrial, period: "P1M"), promotionalOffers: [:],
            prices: ["USA": Money(amount: 9990, currency: "USD")])
        let catalogue = Catalogue(products: [product])
        func cost(_ isAllowed: Bool, again: Bool) -> String? {
            CampaignCost(Self.campaign(again: again, isAllowed).design, catalogue, in: "USA")?.perCustomer.text
        }
        #expect(cost(true, again: true) == "9.99 USD")
        #expect(cost(true, again: false) == nil && cost(false, again: true) == nil)
    }
}

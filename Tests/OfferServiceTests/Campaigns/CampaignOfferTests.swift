import EligibilityRules
import Foundation
import OfferStore
import OfferStoreSQL
import OfferStoreSQLite
import OfferStoreTesting
import Testing
import WireText

@testable import OfferService

@Suite("Offers that campaigns give")
struct CampaignOfferTests {
    private let workshop: IssuerWorkshop

    init() async throws { workshop = try await IssuerWorkshop() }

    /// A test of an offer against none, with some held out.
    private func test(_ id: String = "winback", _ change: (inout Campaign) -> Void = { _ in }) -> Campaign {
        var campaign = Campaign(
            id: id, name: id, bundleID: "com.example.app",
            design: CampaignDesign(
                holdout: 2000,
                variants: [
                    CampaignVariant(id: "control", weight: 5000),
                    CampaignVariant(
                        id: "half", weight: 5000, offers: [CampaignVariant.Offer(productID: "pro", offerID: "one")]),
                ]))
        change(&campaign)
        return campaign
    }

    /// One that gives every customer these offers.
    private func gift(_ id: String, _ offers: String..., priority: Int = 0) -> Campaign {
        Campaign(
            id: id, name: id, bundleID: "com.example.app", slot: CampaignSlot(priority: priority),
            design: CampaignDesign(variants: [
                CampaignVariant(
                    id: "all", weight: 10_000,
                    offers: offers.map { CampaignVariant.Offer(productID: "pro", offerID: $0) })
            ]))
    }

    /// Lets customers have had a subscription of the product.
    private func admit(_ customers: String...) async throws { try await admit(customers) }

    private func admit(_ customers: [String]) async throws {
        for (number, customer) in customers.enumerated() {
            let id = "\(abs(customer.hashValue))\(number)"
            let period = PurchaseTransaction(
                id: id, productID: "pro", purchasedAt: Instant(milliseconds: 1_600_000_000_000),
                state: .init(
                    expiry: Stamped(
                        Instant(milliseconds: 1_602_600_000_000),
                        Stamp(asOf: Instant(milliseconds: 1_602_700_000_000), source: .signedData))))
            _ = try await workshop.histories.apply(
                HistoryChange(
                    partition: "com.example.app", claim: CustomerClaim(customer, .vouched),
                    chains: [PurchaseChain(originalID: id, groupID: "1", transactions: [period])], extent: .account,
                    receivedAt: SystemEnvironment.live.now()))
        }
    }

    private func ask(_ customer: String?, for products: String..., occasion: OfferOccasion = .none) -> SignatureRequest {
        SignatureRequest(
            customer: CustomerReference(customerID: customer), applicationUsername: customer ?? "", form: .payload,
            items: products.map { SignatureRequest.Item(productID: $0, purpose: .campaignOffer, nonce: nil) }, occasion: occasion)
    }

    private func words(_ issued: IssuedOffers) -> [String] {
        issued.results.map { result in
            switch result.outcome {
            case .signed:
                "\(result.purpose.offerID ?? "?") \(result.campaign?.campaignID ?? "-") \(result.campaign?.variant ?? "-")"
            case .refused(let verdict), .notNeeded(let verdict): verdict.reason.code
            }
        }
    }

    @Test("Each customer is given what their buckets say, and every customer who is taken is recorded once")
    func assignments() async throws {
        try await workshop.publish(test())
        let customers = (0..<60).map { "u-\($0)" }
        try await admit(customers)
        let expected = CompiledCampaigns([CampaignRevision(test(), number: 1)], segments: .none)
        var seen: [String: Int] = [:]
        for customer in customers {
            for _ in 0..<2 {
                let found = try await workshop.offers(customer: customer)
                let variant = try #require(found.assignments.first?.variant)
                let holdout = Bucket(campaignID: "winback", purpose: .holdout, unit: customer).number < 2000
                let half = Bucket(campaignID: "winback", purpose: .variant, unit: customer).number >= 5000
                #expect(variant == (holdout ? "holdout" : half ? "half" : "control"))
                #expect(found.offers.map(\.offer.offerID) == (variant == "half" ? ["one"] : []))
                seen[variant, default: 0] += 1
            }
        }
        #expect(expected.revisions.count == 1 && seen.count == 3)
        let exposures = try await workshop.exposures(of: "winback")
        #expect(exposures.map(\.unit) == customers)
        #expect(
            exposures.allSatisfy {
                $0.arm.revision == 1 && $0.arm.unitKind == .customer && $0.source.caller == "caller" && $0.nonce == nil
            })
        #expect(exposures.count { $0.arm.variant == nil } * 2 == seen["holdout"])
        #expect(exposures.count { $0.arm.variant == "control" } * 2 == seen["control"])
    }

    @Test("Who may have no promotional offer is taken by no campaign, whatever the variant would have been")
    func ineligible() async throws {
        try await workshop.publish(test())
        for number in 0..<20 {
            let found = try await workshop.offers(customer: "never-\(number)")
            #expect(found.assignments == [] && found.offers == [])
            #expect(found.verdict.reason == .neverSubscribed)
        }
        let issued = try await workshop.issue(ask("never-1", for: "", "pro"), .enforce)
        #expect(words(issued) == ["never-subscribed", "never-subscribed"])
        #expect(try await workshop.exposures(of: "winback") == [])
    }

    @Test("An id that nothing stands behind is put into no bucket; a token's is, and one that a backend names")
    func unproven() async throws {
        try await workshop.publish(gift("gift", "one"))
        let client = try await IssuerWorkshop(role: .client).caller
        #expect(try await workshop.offers(customer: "made-up", .none, .advise, as: client).assignments == [])
        let user = Caller(
            EndUser(customerID: "made-up", accountToken: nil), id: "usr_1", apps: ["com.example.app"], rate: RateState())
        let found = try await workshop.offers(customer: "somebody-else", .none, .advise, as: user)
        #expect(found.assignments.map(\.variant) == ["all"])
        let exposures = try await workshop.exposures(of: "gift")
        #expect(exposures.map(\.unit) == ["made-up"] && exposures[0].source.caller == "end-user")
        #expect(try await workshop.offers(customer: "new", .none, .advise).assignments.map(\.variant) == ["all"])
    }

    @Test("What a transaction leads to is the customer that it is bound to, and an alias counts as the customer")
    func names() async throws {
        try await workshop.publish(gift("gift", "one"))
        try await admit("ann")
        _ = try await workshop.histories.join(
            alias: "anon-1", into: "ann", partition: "com.example.app", now: SystemEnvironment.live.now())
        let stored = try await workshop.histories.find(HistoryQuery(partition: "com.example.app", customerID: "ann"))
        let id = try #require(stored.history.chains.first).originalID
        _ = try await workshop.offers(customer: "anon-1")
        _ = try await workshop.offers(customer: nil, transaction: id)
        _ = try await workshop.offers(customer: "ann")
        #expect(try await workshop.exposures(of: "gift").map(\.unit) == ["ann"])
    }

    @Test("Placement and attributes decide, and two of them are kept with the exposure")
    func occasion() async throws {
        let condition = try Campaign(
            json: .members([
                "id": .string("a"), "name": .string("a"), "bundleId": .string("b"), "variants": .array([]),
                "audience": .members(["attribute": .string("country"), "is": .string("US")]),
            ])
        ).audience
        try await workshop.publish(
            Campaign(
                id: "paywall", name: "p", bundleID: "com.example.app", slot: CampaignSlot(placement: "paywall"),
                audience: condition, design: CampaignDesign(variants: [CampaignVariant(id: "control", weight: 10_000)])))
        try await admit("ann")
        func taken(_ placement: String?, _ attributes: [String: ConditionValue]) async throws -> Bool {
            let occasion = OfferOccasion(placement: placement, attributes: Attributes(attributes))
            return try await !workshop.offers(customer: "ann", occasion).assignments.isEmpty
        }
        #expect(try await !taken("paywall", [:]))
        #expect(try await !taken("settings", ["country": "US"]))
        #expect(try await taken(nil, ["country": "US", "storefront": "USA", "appVersion": "2.10", "mood": true]))
        let exposure = try #require(try await workshop.exposures(of: "paywall").first)
        #expect((exposure.source.storefront, exposure.source.appVersion) == ("USA", "2.10"))
    }

    @Test("A signature request without an offer is given what campaigns choose, and the nonce is kept with it")
    func signed() async throws {
        try await workshop.publish(gift("first", "one", "two", priority: 2), gift("second", "one", "three", priority: 1))
        try await admit("ann")
        let issued = try await workshop.issue(ask("ann", for: "", "pro", "pro", "", "trial"), .enforce)
        #expect(
            words(issued) == ["one first all", "two first all", "three second all", "no-campaign-offer", "no-campaign-offer"])
        #expect(issued.results.map(\.productID) == ["pro", "pro", "pro", "", "trial"])
        #expect(try await workshop.recorded(issued) == [true, true, true, false, false])
        let nonces = issued.results.compactMap { if case .signed(let signed) = $0.outcome { signed.nonce } else { nil } }
        #expect(try await workshop.exposures(of: "first").map(\.nonce) == nonces.prefix(2).map { $0 })
        #expect(try await workshop.exposures(of: "second").map(\.nonce) == [nonces[2]])
        let entry = try #require(try await workshop.ledger.entry(nonce: nonces[0]))
        #expect(entry.signatures.map(\.offerID) == ["one", "two", "three"])
        // Being shown it again tells nothing new; another signature does.
        _ = try await workshop.offers(customer: "ann")
        #expect(try await workshop.exposures(of: "second").count == 1)
        _ = try await workshop.issue(ask("ann", for: ""), .enforce)
        #expect(try await workshop.exposures(of: "first").count == 3)
        #expect(try await workshop.exposures(of: "second").count == 1)
        #expect(workshop.observer.words.filter { $0 == "assigned first all" }.count == 3)
    }

    @Test("Customers who get nothing learn it, and are counted like the others")
    func control() async throws {
        try await workshop.publish(test { $0.design.variants = [CampaignVariant(id: "control", weight: 10_000)] })
        try await admit((0..<20).map { "u-\($0)" })
        for number in 0..<20 {
            #expect(words(try await workshop.issue(ask("u-\(number)", for: "pro"), .enforce)) == ["no-campaign-offer"])
        }
        let exposures = try await workshop.exposures(of: "winback")
        #expect(exposures.count == 20 && exposures.allSatisfy { $0.nonce == nil } && Set(exposures.map(\.arm.variant)).count == 2)
    }

    @Test("A request that names its offers asks no campaign")
    func named() async throws {
        try await workshop.publish(gift("gift", "one"))
        try await admit("ann")
        let request = SignatureRequest(
            customer: CustomerReference(customerID: "ann"), form: .payload,
            items: [SignatureRequest.Item(productID: "pro", purpose: .promotionalOffer(offerID: "two"), nonce: nil)])
        #expect(words(try await workshop.issue(request, .enforce)) == ["two - -"])
        #expect(try await workshop.exposures(of: "gift") == [])
    }

    @Test(
        "Of those who come at once as many are served as the campaign has, and then it takes no customer, whatever their variant")
    func total() async throws {
        try await workshop.publish(
            test { campaign in
                campaign.limits = CampaignLimits(total: 5)
                campaign.design.holdout = 1000
            })
        let customers = (0..<60).map { "u-\($0)" }
        try await admit(customers)
        let words = try await withThrowingTaskGroup(of: [String].self) { group in
            for customer in customers {
                group.addTask { try await self.words(workshop.issue(ask(customer, for: "pro"), .enforce)) }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(words.count { $0 == "one winback half" } == 5)
        #expect(words.count { $0 == "no-campaign-offer" } == 55)
        let before = try await workshop.exposures(of: "winback")
        #expect(before.count { $0.nonce != nil } == 5)
        // Those with an offer and those without are counted equally long.
        try await admit((100..<140).map { "u-\($0)" })
        for number in 100..<140 {
            #expect(try await workshop.offers(customer: "u-\(number)").assignments == [])
            #expect(self.words(try await workshop.issue(ask("u-\(number)", for: "pro"), .enforce)) == ["no-campaign-offer"])
        }
        #expect(try await workshop.exposures(of: "winback") == before)
    }

    @Test("What a campaign has none left of for a customer another one may give")
    func perCustomer() async throws {
        var first = gift("first", "one", priority: 1)
        first.limits = CampaignLimits(perCustomer: 1)
        try await workshop.publish(first, gift("second", "two"))
        try await admit("ann", "bob")
        // A customer who cancels asks again, and gets the same.
        for _ in 0..<2 {
            #expect(words(try await workshop.issue(ask("ann", for: "", ""), .enforce)) == ["one first all", "two second all"])
        }
        #expect(words(try await workshop.issue(ask("bob", for: ""), .enforce)) == ["one first all"])
        // Nothing is redeemed yet: it may be shown.
        #expect(try await workshop.offers(customer: "ann").offers.map(\.offer.offerID) == ["one", "two"])
        let nonce = try #require(try await workshop.exposures(of: "first").first?.nonce)
        try await workshop.ledger.count([
            CountedRedemption(
                partition: "com.example.app", transactionID: "t", version: 1, total: "x", names: ["y"],
                redeemedAt: SystemEnvironment.live.now(), isRefunded: false, nonce: nonce)
        ])
        #expect(try await workshop.offers(customer: "ann").offers.map(\.offer.offerID) == ["two"])
        #expect(try await workshop.offers(customer: "bob").offers.map(\.offer.offerID) == ["one", "two"])
    }

    @Test("A customer who has asked for many signatures stays in the campaign, and gets no more of it until one lapses")
    func outstanding() async throws {
        var first = gift("first", "one", priority: 1)
        first.limits = CampaignLimits(perCustomer: 1, total: 1)
        try await workshop.publish(first, gift("second", "two"))
        try await admit("ann", "bob")
        var nonces: Set<UUID> = []
        for _ in 0..<OfferLimits.defaultOutstanding {
            let issued = try await workshop.issue(ask("ann", for: ""), .enforce, limits: CatalogueLimits())
            guard case .signed(let signed) = issued.results[0].outcome else { throw CancellationError() }
            #expect(nonces.insert(signed.nonce).inserted && words(issued) == ["one first all"])
        }
        #expect(words(try await workshop.issue(ask("ann", for: ""), .enforce)) == ["two second all"])
        #expect(try await workshop.offers(customer: "ann").offers.map(\.offer.offerID) == ["one", "two"])
        #expect(words(try await workshop.issue(ask("bob", for: ""), .enforce)) == ["two second all"])
    }

    @Test("The memory of exposures is bounded, and forgets what no caller has asked for")
    func memory() {
        let memory = ExposureMemory(capacity: 100)
        let all = (0..<250).map { Exposure.sample("u\($0)") }
        for exposure in all {
            #expect(!memory.isKnown(exposure))
            memory.note([exposure])
            #expect(memory.isKnown(exposure) && memory.isKnown(all[0]))
        }
        #expect(all.suffix(100).allSatisfy { memory.isKnown($0) })
        #expect(!memory.isKnown(all[1]))
        let one = all[249]
        let others: [Exposure] = [
            .sample("u249", variant: "other"), .sample("u249", variant: nil), .sample("u249", of: "other"),
            .sample("u249", "com.example.other"), .sample("u249", kind: .appTransaction),
        ]
        #expect(others.allSatisfy { !memory.isKnown($0) } && memory.isKnown(one))
        #expect(memory.isKnown(.sample("u249", revision: 2)))
    }
}

import EligibilityRules
import OfferStore
import OfferStoreTesting
import Testing
import WireText

@testable import OfferService

@Suite("Campaigns with introductory offers")
struct IntroductoryCampaignTests {
    /// A free trial against none.
    private static func test(again: Bool = false) -> Campaign {
        Campaign(
            id: "trial-test", name: "trial-test", bundleID: "com.example.app",
            design: CampaignDesign(
                holdout: 2000,
                variants: [true, false].map {
                    CampaignVariant(
                        id: $0 ? "with" : "without", weight: 5000,
                        introductoryOffer: CampaignVariant.IntroductoryOffer(productID: "trial", isAllowed: $0))
                }, givesIntroductoryOfferAgain: again))
    }

    private static func request(
        _ customer: String?,
        products: String...,
        naming transactionID: String = "704",
        account: String? = nil
    ) -> SignatureRequest {
        let reference = CustomerReference(customerID: customer)
        return SignatureRequest(
            customer: account.map { reference.proving(appTransactionID: $0) } ?? reference, form: .jws,
            items: products.map {
                SignatureRequest.Item(
                    productID: $0, purpose: .introductoryOffer(transactionID: account ?? transactionID, .byCampaigns), nonce: nil)
            })
    }

    private func words(_ issued: IssuedOffers) throws -> [String] {
        try issued.results.map { result in
            let campaign = result.campaign.map { " \($0.variant)" } ?? ""
            switch result.outcome {
            case .refused(let verdict): return "refused \(verdict.reason.code)\(campaign)"
            case .notNeeded(let verdict): return "not-needed \(verdict.reason.code)\(campaign)"
            case .signed(let signed):
                guard case .jws(let text) = signed.token else { return "not a JWS" }
                let claims = try #require(Base64.decodeURLSafe(Array(text.utf8.split(separator: UInt8(ascii: "."))[1])))
                let isGrant = String(decoding: claims, as: UTF8.self).contains(#""allowIntroductoryOffer":true"#)
                return "signed \(isGrant)\(campaign)"
            }
        }
    }

    private func admit(_ customer: String, to workshop: IssuerWorkshop) async throws {
        let stamp = Stamp(asOf: Instant(milliseconds: 2000), source: .signedData)
        let period = PurchaseTransaction(
            id: "t-\(customer)", productID: "trial", purchasedAt: Instant(milliseconds: 1000),
            terms: .init(offer: RedeemedOffer(kind: .introductory)),
            state: .init(expiry: Stamped(Instant(milliseconds: 2000), stamp)))
        _ = try await workshop.histories.apply(
            HistoryChange(
                partition: "com.example.app", claim: CustomerClaim(customer, .vouched),
                chains: [PurchaseChain(originalID: "t-\(customer)", transactions: [period])], extent: .account,
                receivedAt: Instant(milliseconds: 2000)))
    }

    @Test("New customers take part: what is said before the purchase, the claim and the exposure agree")
    func newCustomers() async throws {
        let workshop = try await IssuerWorkshop()
        try await workshop.publish(Self.test())
        var seen: [String: Int] = [:]
        for number in 0..<40 {
            let customer = "new-\(number)"
            let found = try await workshop.offers(customer: customer)
            let variant = try #require(found.assignments.first?.variant)
            seen[variant, default: 0] += 1
            #expect(found.offers == [] && found.verdict.reason == .neverSubscribed)
            #expect(found.introductoryOffers.map(\.offer.isAllowed) == (variant == "holdout" ? [] : [variant == "with"]))
            let expected =
                switch variant {
                case "with": "not-needed new-customer with"
                case "without": "signed false without"
                default: "not-needed new-customer"
                }
            #expect(try words(try await workshop.issue(Self.request(customer, products: "trial"), .enforce)) == [expected])
        }
        #expect(seen.count == 3)
        // Nothing is signed for a customer with the trial or in the holdout, so one exposure is recorded for them.
        let exposures = try await workshop.exposures(of: "trial-test")
        #expect(Set(exposures.map(\.unit)).count == 40)
        #expect(exposures.count { $0.nonce != nil } == seen["without"])
        #expect(exposures.count == 40 + seen["without"]!)
    }

    @Test("Who has had the trial gets it again only where the campaign says so", arguments: [false, true])
    func again(_ again: Bool) async throws {
        let workshop = try await IssuerWorkshop(role: .client)
        try await workshop.publish(Self.test(again: again))
        var seen: Set<String> = []
        for number in 0..<30 {
            let customer = "old-\(number)"
            try await admit(customer, to: workshop)
            let found = try await workshop.offers(customer: customer)
            let variant = try #require(found.assignments.first?.variant)
            seen.insert(variant)
            let gives = variant == "without" ? [false] : variant == "with" && again ? [true] : []
            #expect(found.introductoryOffers.map(\.offer.isAllowed) == gives)
            let expected =
                switch (variant, again) {
                case ("with", true): "signed true with"
                case ("without", _): "signed false without"
                default: "signed false"
                }
            let own = Self.request(customer, products: "trial", naming: "t-\(customer)")
            #expect(try words(try await workshop.issue(own, .enforce)) == [expected])
            // The signature would help whomever it names: an id that is not the customer's own gets none.
            let foreign = Self.request(customer, products: "trial", naming: "9\(number)")
            let refused = try words(try await workshop.issue(foreign, .enforce))
            #expect(refused == [expected == "signed true with" ? "signed false" : expected])
            let user = Caller(
                EndUser(customerID: customer, accountToken: nil), id: "usr", apps: ["com.example.app"], rate: RateState())
            #expect(try words(try await workshop.issue(foreign, .enforce, as: user)) == refused)
            #expect(try words(try await workshop.issue(own, .enforce, as: user)) == [expected])
        }
        #expect(seen.count == 3)
    }

    @Test("A client's word does not prove a new customer; an Apple account that Apple has signed does")
    func proof() async throws {
        let workshop = try await IssuerWorkshop(role: .client)
        var campaign = Self.test()
        campaign.design.unit = .appTransaction
        try await workshop.publish(Self.test())
        #expect(
            try words(try await workshop.issue(Self.request("new", products: "trial"), .enforce)) == ["not-needed new-customer"])
        #expect(try await workshop.exposures(of: "trial-test").isEmpty)
        try await workshop.publish(campaign)
        var seen: Set<String> = []
        for number in 0..<30 {
            let issued = try await workshop.issue(Self.request("new", products: "trial", account: "70\(number)"), .enforce)
            seen.formUnion(try words(issued))
        }
        #expect(seen == ["not-needed new-customer", "not-needed new-customer with", "signed false without"])
        #expect(try await workshop.exposures(of: "trial-test").allSatisfy { $0.arm.unitKind == .appTransaction })
    }

    @Test("Campaigns without introductory offers take no customer here, and a product without one is refused")
    func others() async throws {
        let workshop = try await IssuerWorkshop()
        try await workshop.publish(
            Campaign(
                id: "promo", name: "promo", bundleID: "com.example.app",
                design: CampaignDesign(variants: [
                    CampaignVariant(
                        id: "all", weight: 10_000, offers: [CampaignVariant.Offer(productID: "pro", offerID: "one")])
                ])), Self.test())
        let issued = try await workshop.issue(Self.request("u-1", products: "trial", "pro"), .enforce)
        #expect(try words(issued).last == "refused no-introductory-offer")
        #expect(issued.assignments.map(\.campaignID) == ["trial-test"])
        #expect(try await workshop.exposures(of: "promo").isEmpty)
    }
}

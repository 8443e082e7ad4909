import AppStore
import FoundationEssentials
import OfferSigning
import Testing

@testable import EligibilityRules
@testable import OfferService

@Suite("What retention campaigns have the App Store show")
struct RetentionChoiceTests {
    private static let (text, standard) = (
        "0b8e4c5a-2f0b-4e0e-9e59-1f2c3d4e5f60", UUID(uuidString: "1C8E4C5A-2F0B-4E0E-9E59-1F2C3D4E5F61")!
    )
    private static let offer = CampaignVariant.Offer(productID: "pro", offerID: "half")
    private static let campaign = CampaignRevision(
        Campaign(
            id: "stay", name: "Stay", bundleID: "b", slot: CampaignSlot(placement: "retention"),
            design: CampaignDesign(variants: [
                CampaignVariant(id: "control", weight: 2500), CampaignVariant(id: "text", weight: 2500, message: text),
                CampaignVariant(id: "offer", weight: 2500, offers: [offer], message: text),
                CampaignVariant(
                    id: "switch", weight: 2500, switchTo: .init(productID: "yearly", billingPlan: .monthly), message: text),
            ])), number: 1)

    private func app(_ message: UUID?) -> App {
        App(
            identity: AppIdentity(bundleID: "b", appAppleID: 1, environment: .production), rules: AppRules(enforcement: .enforce),
            answers: AppStoreAnswers(retentionMessage: message), policy: EligibilityPolicy(),
            catalogue: Catalogue(
                products: [("pro", "g"), ("yearly", "g"), ("news", "n")].map {
                    SubscriptionProduct(
                        id: $0, groupID: $1, level: 1, period: "P1M", introductoryOffer: nil, promotionalOffers: [:])
                }))
    }

    private func shown(
        _ verdicts: [CampaignAllocation], jws: String? = nil, of product: String = "pro", default message: UUID? = standard
    ) -> String {
        var issued = IssuedOffers(keyID: "k", timestamp: 0, applicationUsername: "")
        issued.assignments = verdicts.map { CampaignAssignment(Self.campaign, $0) }
        let outcome: OfferResult.Outcome =
            jws.map { .signed(SignedOffer(nonce: UUID(), token: .jws($0), digest: [], advice: nil)) }
            ?? .refused(Verdict(.noOffer, .noCampaignOffer))
        issued.results = [OfferResult(productID: "pro", purpose: .promotionalOffer(offerID: "half"), outcome: outcome)]
        let body = RetentionChoice(issued, to: product, of: app(message)).bytes
        return String(decoding: body, as: UTF8.self) + " " + RetentionOutcome(ofBody: body).rawValue
    }

    @Test("Each kind of variant is shown as what it is; a control, and a customer without a decision, are not")
    func variants() {
        let fallback = #"{"message":{"messageIdentifier":"1c8e4c5a-2f0b-4e0e-9e59-1f2c3d4e5f61"}} message"#
        #expect(shown([.assigned(0)]) == " nothing")
        #expect(shown([.assigned(1)]) == #"{"message":{"messageIdentifier":"\#(Self.text)"}} message"#)
        #expect(
            shown([.assigned(2)], jws: "a.b.c")
                == #"{"promotionalOffer":{"messageIdentifier":"\#(Self.text)","promotionalOfferSignatureV2":"a.b.c"}} offer"#)
        // Its text speaks of an offer that could not be signed.
        #expect(shown([.assigned(2)]) == fallback)
        #expect(
            shown([.assigned(3)])
                == #"{"alternateProduct":{"messageIdentifier":"\#(Self.text)","productId":"yearly","billingPlanType":"MONTHLY"}} product"#
        )
        // The customer has this product, or one of another group, from which the App Store cannot switch.
        #expect(shown([.assigned(3)], of: "yearly") == fallback && shown([.assigned(3)], of: "news") == fallback)
        #expect(shown([]) == fallback && shown([.heldOut]) == fallback)
        #expect(shown([.heldOut, .assigned(0)]) == " nothing")
        #expect(shown([], default: nil) == " nothing" && shown([.assigned(2)], default: nil) == " nothing")
    }

    @Test("Where one thing is shown, campaigns behind the first with a variant have taken no customer")
    func first() {
        let other = CampaignRevision(Self.campaign.campaign, number: 2)
        var decision = CampaignDecision()
        decision.assignments = [
            CampaignAssignment(Self.campaign, .heldOut), CampaignAssignment(other, .assigned(0)),
            CampaignAssignment(Self.campaign, .assigned(2)),
        ]
        decision.offers = [CampaignOffer(offer: Self.offer, assignment: decision.assignments[2])]
        #expect(decision.upToFirstVariant.assignments == Array(decision.assignments.prefix(2)))
        #expect(decision.upToFirstVariant.offers == [])
        decision.assignments.remove(at: 1)
        #expect(decision.upToFirstVariant == decision)
        decision.assignments.removeLast()
        decision.offers = []
        #expect(decision.upToFirstVariant == decision)
    }
}

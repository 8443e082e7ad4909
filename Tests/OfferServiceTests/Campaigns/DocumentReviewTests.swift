import EligibilityRules
import Testing
import WireText

@testable import OfferService

@Suite("Documents of campaigns, looked at together")
struct DocumentReviewTests {
    private static let offer = SubscriptionOffer(kind: .payAsYouGo, period: "P3M")
    private static let offerID = "half"

    private static func catalogue(group: String, product: String) -> Catalogue {
        Catalogue(products: [
            SubscriptionProduct(
                id: product, groupID: group, level: 1, period: "P1M", introductoryOffer: nil,
                promotionalOffers: [ExactText(offerID): offer])
        ])
    }

    private let review = DocumentReview(
        catalogues: ["a": catalogue(group: "1", product: "pa"), "b": catalogue(group: "2", product: "pb")],
        now: Instant(milliseconds: 1_772_323_200_000))

    private func campaign(_ id: String, app: String, _ audience: Condition? = nil) -> Campaign {
        let offers = [CampaignVariant.Offer(productID: "p\(app)", offerID: Self.offerID)]
        return Campaign(
            id: id, name: id, bundleID: app, slot: CampaignSlot(exclusionGroup: "g"), audience: audience,
            design: CampaignDesign(variants: [CampaignVariant(id: "v", weight: Bucket.count, offers: offers)]))
    }

    private func segment(_ id: String, group: String) -> Segment {
        Segment(id: id, name: id, condition: .test(ConditionTest(.subscriptionState, group: group, .is, "expired")))
    }

    private func reported(_ documents: [CampaignDocument]) -> [[String]] {
        review.findings(documents).map { $0.map { "\($0.severity.rawValue) \($0.path)" } }
    }

    @Test("A campaign is checked with the catalogue of its own app")
    func catalogues() {
        #expect(reported([CampaignDocument(campaigns: [campaign("x", app: "a"), campaign("x", app: "b")])]) == [[]])
        #expect(reported([CampaignDocument(campaigns: [campaign("x", app: "c")])]) == [["error campaigns[0].bundleId"]])
    }

    @Test("An id is given once in an app, in whichever document; campaigns of all documents get in each other's way")
    func together() {
        let (first, second) = (campaign("x", app: "a"), campaign("y", app: "a"))
        #expect(
            reported([CampaignDocument(campaigns: [first]), CampaignDocument(campaigns: [first])]) == [
                [], ["error campaigns[0].id"],
            ])
        #expect(
            reported([CampaignDocument(campaigns: [first]), CampaignDocument(campaigns: [second])]) == [
                ["warning campaigns[0].priority"], ["warning campaigns[0].priority", "warning campaigns[0].priority"],
            ])
    }

    @Test("A segment is found in any document, and checked with the apps that have campaigns")
    func segments() {
        let using = CampaignDocument(campaigns: [campaign("x", app: "b", .segment("s"))])
        #expect(reported([using]) == [["error campaigns[0].audience.segment"]])
        #expect(reported([using, CampaignDocument(campaigns: [], segments: [segment("s", group: "2")])]) == [[], []])
        let wrong = CampaignDocument(campaigns: [], segments: [segment("s", group: "1")])
        #expect(reported([using, wrong])[1] == ["error segments[0].condition.group"])
        // Where no app is named it is to be right for any of them.
        #expect(reported([wrong]) == [[]])
        #expect(
            reported([CampaignDocument(campaigns: [], segments: [segment("s", group: "3")])]) == [
                ["error segments[0].condition.group"]
            ])
        let twice = CampaignDocument(campaigns: [], segments: [segment("s", group: "1"), segment("s", group: "2")])
        #expect(reported([twice]) == [["error segments[1].id"]])
    }

    @Test(
        "Shares read as people write them",
        arguments: [(0, "0 %"), (5, "0.05 %"), (50, "0.5 %"), (2525, "25.25 %"), (10_000, "100 %"), (-1, "-0.01 %")])
    func shares(basisPoints: Int, words: String) {
        #expect(ShareText.words(basisPoints) == words)
    }
}

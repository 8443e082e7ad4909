import EligibilityRules
import Testing

@testable import OfferHTTP

@Suite("Offers in words")
struct OfferWordsTests {
    @Test(
        "An offer is said with its price and the regular one, as far as they are known",
        arguments: [
            ("P1M", OfferKind.payAsYouGo, "P3M", "4.99 USD", "9.99 USD", "3 months at 4.99 instead of 9.99 USD"),
            ("P3M", .payAsYouGo, "P6M", "12 USD", "29.99 USD", "6 months at 12 instead of 29.99 USD per 3 months"),
            ("P1M", .payAsYouGo, "P3M", "4.99 USD", nil, "3 months at 4.99 USD"),
            ("P1M", .payAsYouGo, "P3M", nil, "9.99 USD", "reduced price for 3 months"),
            ("P1M", .payUpFront, "P6M", "1290 JPY", "480 JPY", "6 months for 1,290 instead of 2,880 JPY, paid at once"),
            ("P1M", .payUpFront, "P6M", nil, nil, "6 months for one reduced payment"),
            ("P1M", .freeTrial, "P1M", nil, "9.99 USD", "free for 1 month, then 9.99 USD per month"),
            ("P1M", .freeTrial, "P1W", nil, nil, "free for 1 week"),
        ] as [(String, OfferKind, String, String?, String?, String)])
    func words(period: String, kind: OfferKind, length: String, price: String?, regular: String?, words: String) {
        let prices = { (text: String?) in text.flatMap { Money($0) }.map { ["USA": $0] } ?? [:] }
        let offer = SubscriptionOffer(kind: kind, period: length, prices: prices(price))
        let back = "back"
        let id = ExactText(back)
        let product = SubscriptionProduct(
            id: "pro", groupID: "g", level: 1, period: period, introductoryOffer: nil,
            promotionalOffers: [id: offer], prices: prices(regular))
        // A catalogue knows the storefronts by its regular prices.
        let other = SubscriptionProduct(
            id: "z", groupID: "g", level: 1, period: "P1M", introductoryOffer: nil, promotionalOffers: [:],
            prices: ["USA": Money(amount: 1, currency: "USD")])
        let found = OfferWords(catalogue: Catalogue(products: [product, other]))
        #expect(
            found.text(CampaignVariant.Offer(productID: "pro", offerID: back)).replacing("\u{a0}", with: " ")
                == "back on pro: \(words)")
    }

    @Test("Prices are those of the country that an audience names by two letters or by three, also in a segment")
    func storefronts() {
        let prices = ["USA": Money(amount: 1, currency: "USD"), "DEU": Money(amount: 1, currency: "EUR")]
        let catalogue = Catalogue(products: [
            SubscriptionProduct(
                id: "p", groupID: "g", level: 1, period: "P1M", introductoryOffer: nil, promotionalOffers: [:], prices: prices)
        ])
        let german = Condition.test(ConditionTest(.attribute("country"), .oneOf, ["AT", "DE"]))
        let (plain, segment) = (german, Segment(id: "german", name: "Germans", condition: german))
        #expect(OfferWords(catalogue: catalogue, for: plain).storefront == "DEU")
        var campaign = Campaign(
            id: "c", name: "c", bundleID: "b", audience: .segment("german"), design: CampaignDesign(variants: []))
        campaign.segments = [segment]
        #expect(OfferWords(catalogue: catalogue, for: campaign).storefront == "DEU")
        let elsewhere = Condition.test(ConditionTest(.attribute("country"), .is, "Utopia"))
        #expect(OfferWords(catalogue: catalogue, for: elsewhere).storefront == "USA")
    }
}

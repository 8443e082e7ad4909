import Testing

@testable import EligibilityRules

@Suite("Money, rates and what an offer costs")
struct MoneyTests {
    @Test(
        "A price is read to the thousandth, and written as it is read",
        arguments: [
            ("9.99 USD", 9990, "9.99 USD"), ("480 JPY", 480_000, "480 JPY"), ("4.5 EUR", 4500, "4.50 EUR"),
            ("1.234 KWD", 1234, "1.234 KWD"), ("0 USD", 0, "0 USD"), ("19000.00 KRW", 19_000_000, "19000 KRW"),
        ])
    func prices(text: String, amount: Int64, written: String) throws {
        let money = try #require(Money(text))
        #expect(money.amount == amount && money.text == written && Money(written) == money)
    }

    @Test(
        "What is no price is none",
        arguments: [
            "9.99", "9.99 usd", "9.99  USD", "-1 USD", "1.2345 USD", ".5 USD", "1e3 USD", "9,99 EUR", "9999999999999999 USD",
        ])
    func noPrices(text: String) { #expect(Money(text) == nil) }

    @Test("A table has the rates that it was given, and one of its own currency")
    func rates() throws {
        let euro = try #require(CurrencyRate("1.08"))
        let table = CurrencyTable(in: "USD", rates: ["EUR": euro])
        #expect(table.rate(of: "EUR") == euro && table.rate(of: "USD") == .one && table.rate(of: "CHF") == nil)
        #expect(CurrencyRate("0") == nil && CurrencyRate("1000000") == nil && CurrencyRate("0.0000000000001") == nil)
    }

    private func product(_ period: String, _ kind: OfferKind, _ length: String, _ price: String?) -> (
        SubscriptionOffer, SubscriptionProduct
    ) {
        let offer = SubscriptionOffer(
            kind: kind, period: length, prices: price.flatMap { Money($0) }.map { ["USA": $0] } ?? [:])
        return (
            offer,
            SubscriptionProduct(
                id: "p", groupID: "g", level: 1, period: period, introductoryOffer: nil,
                promotionalOffers: [ExactText("o"): offer], prices: ["USA": Money(amount: 9990, currency: "USD")])
        )
    }

    @Test(
        "A customer's discount is the regular price of the offer's time without what the offer costs",
        arguments: [
            ("P1M", OfferKind.payAsYouGo, "P3M", "4.99 USD", "29.97 USD", "15 USD"),
            ("P1M", .payUpFront, "P6M", "29.99 USD", "59.94 USD", "29.95 USD"),
            ("P1M", .freeTrial, "P1M", nil, "9.99 USD", "9.99 USD"),
            ("P1Y", .payUpFront, "P1Y", "5 USD", "9.99 USD", "4.99 USD"),
            ("P1W", .freeTrial, "P3D", nil, "4.281 USD", "4.281 USD"),
            ("P1M", .payAsYouGo, "P1M", "12 USD", "9.99 USD", "0 USD"),
            ("P1M", .payAsYouGo, "P3M", "4.99 EUR", "29.97 USD", nil),
            ("P1M", .payUpFront, "P3M", nil, "29.97 USD", nil),
        ] as [(String, OfferKind, String, String?, String, String?)])
    func discounts(period: String, kind: OfferKind, length: String, price: String?, full: String, discount: String?) {
        let (offer, product) = product(period, kind, length, price)
        let found = OfferPrice(offer, of: product, in: "USA")
        #expect(found.full?.text == full && found.discount?.text == discount)
        #expect(OfferPrice(offer, of: product, in: "DEU").discount == nil && OfferPrice(offer, of: product, in: nil).full == nil)
    }

    @Test("An offer of the monthly plan is compared with the price of a month, not with that of the year")
    func monthlyPlan() throws {
        let offer = SubscriptionOffer(
            kind: .payAsYouGo, period: "P3M", prices: ["USA": Money("4.99 USD")!], billingPlan: .monthly)
        let trial = SubscriptionOffer(kind: .freeTrial, period: "P1M", billingPlan: .monthly)
        let product = SubscriptionProduct(
            id: "p", groupID: "g", level: 1, period: "P1Y", introductoryOffer: nil, promotionalOffers: [ExactText("o"): offer],
            prices: ["USA": Money("99.99 USD")!],
            monthlyPlan: .init(introductoryOffer: trial, prices: ["USA": Money("9.99 USD")!]))
        #expect(OfferPrice(offer, of: product, in: "USA").discount?.text == "15 USD")
        #expect(OfferPrice(trial, of: product, in: "USA").discount?.text == "9.99 USD")
        for plan in BillingPlan.allCases {
            let (once, twice) = (product.on(plan), product.on(plan).on(plan))
            #expect(once.prices == twice.prices && once.introductoryOffer == twice.introductoryOffer)
            #expect(once.promotionalOffers == twice.promotionalOffers && once.period == twice.period)
            #expect(OfferPrice(offer, of: product.on(.monthly), in: "USA").discount?.text == "15 USD")
        }
    }

    @Test("The cost is the greatest discount of each variant, for the share that gets it")
    func cost() throws {
        let (_, product) = product("P1M", .payAsYouGo, "P3M", "4.99 USD")
        let (catalogue, offer) = (Catalogue(products: [product]), CampaignVariant.Offer(productID: "p", offerID: "o"))
        func design(_ variants: (weight: Int, offers: [CampaignVariant.Offer])...) -> CampaignDesign {
            CampaignDesign(variants: variants.map { CampaignVariant(id: "v", weight: $0.weight, offers: $0.offers) })
        }
        let cost = try #require(CampaignCost(design((5000, []), (5000, [offer])), catalogue, in: "USA"))
        func total(_ limit: Int? = nil, _ rate: Double = 1) -> String? {
            cost.total(customers: 1000, letIn: 9000 * 5000, limit: limit, rate: rate)?.text
        }
        #expect(cost.perCustomer.text == "15 USD" && total() == "3375 USD" && total(nil, 0.1) == "337.50 USD")
        #expect(total(225) == "3375 USD" && total(10) == "150 USD" && total(10, 0.01) == "33.75 USD")
        for rate in [-0.01, 1.01, 9e14, .nan] { #expect(total(nil, rate) == nil) }
        #expect(cost.total(customers: .max, letIn: Bucket.count * Bucket.count, limit: nil) == nil)
        #expect(CampaignCost(design((1, [offer])), catalogue, in: "DEU") == nil)
        #expect(CampaignCost(design((1, [])), catalogue, in: "USA") == nil)
    }

    @Test("Prices are those of the storefront that an audience names, else of USA, else of the first")
    func storefronts() {
        func catalogue(_ storefronts: String...) -> Catalogue {
            let prices = Dictionary(uniqueKeysWithValues: storefronts.map { ($0, Money(amount: 1, currency: "USD")) })
            return Catalogue(products: [
                SubscriptionProduct(
                    id: "p", groupID: "g", level: 1, period: "P1M", introductoryOffer: nil, promotionalOffers: [:], prices: prices
                )
            ])
        }
        let audience = Condition.all([
            .not(.test(ConditionTest(.attribute("country"), .is, "USA"))),
            .any([.test(ConditionTest(.subscriptionStorefront, group: "g", .oneOf, ["CHE", "DEU"]))]),
            .test(ConditionTest(.attribute("country"), .is, "Germany")),
        ])
        #expect(audience.storefronts == ["CHE", "DEU", "Germany"])
        #expect(catalogue("DEU", "USA").priceStorefront(among: audience.storefronts) == "DEU")
        #expect(catalogue("FRA", "USA").priceStorefront(among: audience.storefronts) == nil)
        #expect(catalogue("DEU", "USA").priceStorefront(among: []) == "USA")
        #expect(catalogue("FRA", "DEU").priceStorefront(among: []) == "DEU" && catalogue().priceStorefront(among: []) == nil)
    }
}

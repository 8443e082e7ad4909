import EligibilityRules

/// Describes the offers of the catalogue in words, with the prices of one storefront if the catalogue has prices.
struct OfferWords {
    let catalogue: Catalogue
    /// The storefront whose prices are named; nil if no prices are known.
    let storefront: String?

    /// - Parameter audience: a condition. If it names storefronts, and the catalogue has prices for one of them, the words have
    ///   those prices.
    init(catalogue: Catalogue, for audience: Condition? = nil) {
        self.catalogue = catalogue
        let named = (audience?.storefronts ?? []).compactMap { code in
            Country.all.first { $0.alpha3 == code || $0.alpha2 == code }?.alpha3
        }
        storefront = catalogue.priceStorefront(among: named)
    }

    /// - Parameter campaign: the campaign whose audience may name storefronts, either itself or in its segments.
    init(catalogue: Catalogue, for campaign: Campaign?) {
        self.init(catalogue: catalogue, for: campaign.flatMap { $0.withSegmentsPutIn(Segments($0.segments)).audience })
    }

    /// A sentence such as `Prices are those of the storefront Germany.`; empty if no prices are known.
    var note: String { storefront.map { "Prices are those of the storefront \(Country.name(storefront: $0))." } ?? "" }

    /// Returns `winback50 on com.example.pro.monthly: 3 months at 4.99 instead of 9.99 USD`.
    func text(_ offer: CampaignVariant.Offer) -> String {
        guard let product = catalogue.product(offer.productID),
            let found = product.promotionalOffers[ExactText(offer.offerID)]
        else {
            return "\(offer.offerID) on \(offer.productID) (not in the catalogue)"
        }
        return "\(offer.offerID) on \(offer.productID): \(terms(found, of: product))"
    }

    /// Returns `introductory offer on com.example.pro.monthly: free for 1 week`, or `no introductory offer on …`.
    func text(_ offer: CampaignVariant.IntroductoryOffer) -> String {
        guard offer.isAllowed else { return "no introductory offer on \(offer.productID)" }
        guard let product = catalogue.product(offer.productID), let found = product.introductoryOffer else {
            return "introductory offer on \(offer.productID) (not in the catalogue)"
        }
        return "introductory offer on \(offer.productID): \(terms(found, of: product))"
    }

    /// All that a variant gives or withholds, one text each.
    func texts(_ variant: CampaignVariant) -> [String] {
        variant.offers.map(text) + [variant.introductoryOffer.map(text)].compactMap(\.self)
    }

    /// Returns `3 months at 4.99 instead of 9.99 USD`, or `reduced price for 3 months` if no price is known.
    func terms(_ offer: SubscriptionOffer, of product: SubscriptionProduct) -> String {
        let (period, price) = (PeriodWords.text(offer.period), OfferPrice(offer, of: product, in: storefront))
        let each = PeriodWords.each(product.period)
        switch offer.kind {
        case .freeTrial:
            return "free for \(period)" + (price.regular.map { ", then \(MoneyWords.text($0)) per \(each)" } ?? "")
        case .payAsYouGo:
            guard let reduced = price.reduced else { return "reduced price for \(period)" }
            // Readers expect that a price is for one week, one month or one year. Only a period of another length is named.
            let by = each.contains("\u{a0}") ? " per \(each)" : ""
            return "\(period) at \(Self.compared(reduced, with: price.regular))\(by)"
        case .payUpFront:
            guard let reduced = price.reduced else { return "\(period) for one reduced payment" }
            return "\(period) for \(Self.compared(reduced, with: price.full)), paid at once"
        }
    }

    private static func compared(_ reduced: Money, with regular: Money?) -> String {
        guard let regular, regular.currency == reduced.currency else { return MoneyWords.text(reduced) }
        return "\(MoneyWords.number(reduced)) instead of \(MoneyWords.text(regular))"
    }

    /// The choices of an offer, by product, in the order of the products.
    var choices: [(product: String, offers: [(id: String, label: String)])] {
        catalogue.sorted.filter { !$0.promotionalOffers.isEmpty || $0.introductoryOffer != nil }.map { product in
            let offers = product.promotionalOfferIDs.map { CampaignVariant.Offer(productID: product.id, offerID: $0) }
            let introductory = (product.introductoryOffer == nil ? [] : [true, false]).map {
                CampaignVariant.IntroductoryOffer(productID: product.id, isAllowed: $0)
            }
            return (
                product.id,
                offers.map { (VariantFields.choice(productID: $0.productID, offerID: $0.offerID), text($0)) }
                    + introductory.map { (VariantFields.choice($0), text($0)) }
            )
        }
    }
}

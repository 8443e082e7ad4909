import EligibilityRules

/// Offers of the catalogue in words. Only App Store Connect knows their prices.
struct OfferWords {
    let catalogue: Catalogue

    /// Returns `winback50 on com.example.pro.monthly: reduced price for 3 months`.
    func text(_ offer: CampaignVariant.Offer) -> String {
        guard let found = catalogue.product(offer.productID)?.promotionalOffers[ExactText(offer.offerID)] else {
            return "\(offer.offerID) on \(offer.productID) (not in the catalogue)"
        }
        return "\(offer.offerID) on \(offer.productID): \(Self.terms(found))"
    }

    /// Returns `reduced price for 3 months`.
    static func terms(_ offer: SubscriptionOffer) -> String {
        let period = PeriodWords.text(offer.period)
        return switch offer.kind {
        case .freeTrial: "free for \(period)"
        case .payAsYouGo: "reduced price for \(period)"
        case .payUpFront: "\(period) for one reduced payment"
        }
    }

    /// Every offer as a choice, in the order of the products.
    var choices: [(product: String, offers: [(id: String, label: String)])] {
        catalogue.sorted.filter { !$0.promotionalOffers.isEmpty }.map { product in
            let offers = product.promotionalOfferIDs.map { CampaignVariant.Offer(productID: product.id, offerID: $0) }
            return (
                product.id,
                offers.map { (VariantFields.choice(productID: $0.productID, offerID: $0.offerID), text($0)) }
            )
        }
    }
}

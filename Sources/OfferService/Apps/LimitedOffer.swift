import EligibilityRules
import OfferStore

/// A promotional offer with its limits, made once for a catalogue.
///
/// It is a class, because every reservation refers to its scope.
package final class LimitedOffer: Sendable {
    /// Identifies an offer among those of an app.
    struct Key: Hashable {
        let productID: ExactText
        let offerID: ExactText

        init(_ productID: String, _ offerID: String) {
            self.productID = ExactText(productID)
            self.offerID = ExactText(offerID)
        }
    }

    let id: String
    let product: SubscriptionProduct
    let billingPlan: BillingPlan
    /// The limits; nil if the offer has none.
    let limits: OfferLimits?
    let terms: LimitTerms
    let scope: LimitScope

    init(_ offerID: String, of product: SubscriptionProduct, bundleID: String, environment: PurchaseEnvironment) {
        id = offerID
        self.product = product
        let offer = product.promotionalOffers[ExactText(offerID)]
        billingPlan = offer?.billingPlan ?? .upfront
        limits = offer?.limits
        terms = LimitTerms(
            outstanding: limits.map { $0.outstanding ?? OfferLimits.defaultOutstanding }, redeemed: limits?.perCustomer,
            per: limits?.per, cooldown: limits?.cooldown,
            countsRefunded: limits?.countsRefunded ?? true)
        scope = LimitScope(bundleID: bundleID, environment: environment, productID: product.id, offerID: offerID)
    }

    /// All promotional offers of a catalogue.
    static func all(_ catalogue: Catalogue, bundleID: String, environment: PurchaseEnvironment) -> [Key: LimitedOffer] {
        var offers: [Key: LimitedOffer] = [:]
        for product in catalogue.sorted {
            for id in product.promotionalOfferIDs {
                offers[Key(product.id, id)] = LimitedOffer(id, of: product, bundleID: bundleID, environment: environment)
            }
        }
        return offers
    }
}

extension App {
    /// A promotional offer with its limits; nil if the catalogue does not have its product.
    ///
    /// If the catalogue has the product but not the offer, the result is an offer without limits.
    func limitedOffer(_ productID: String, _ offerID: String) -> LimitedOffer? {
        if let offer = limitedOffers[LimitedOffer.Key(productID, offerID)] { return offer }
        return catalogue.product(productID).map {
            LimitedOffer(offerID, of: $0, bundleID: bundleID, environment: policy.environment)
        }
    }
}

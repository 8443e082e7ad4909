import EligibilityRules
import OfferService
import WireText

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
    ///
    /// - Parameter plan: the billing plan whose offer is meant; nil for that of any plan.
    func text(_ offer: CampaignVariant.IntroductoryOffer, on plan: BillingPlan? = nil) -> String {
        guard offer.isAllowed else { return "no introductory offer on \(offer.productID)" }
        let product = catalogue.product(offer.productID)
        let found = product?.introductoryOffers.filter { plan == nil || $0.billingPlan == plan } ?? []
        guard let product, !found.isEmpty else { return "introductory offer on \(offer.productID) (not in the catalogue)" }
        let terms = found.map { self.terms($0, of: product) }
        return "introductory offer on \(offer.productID): \(terms.joined(separator: "; or "))"
    }

    /// Returns `a switch to com.example.pro.yearly`.
    func text(_ other: CampaignVariant.Switch) -> String {
        let plan = other.billingPlan.map { ", \($0.words)" } ?? ""
        return
            "a switch to \(other.productID)\(plan)\(catalogue.product(other.productID) == nil ? " (not in the catalogue)" : "")"
    }

    /// Whether a variant can have more than one offer: those of several products, or an introductory one beside another.
    var mayCombine: Bool {
        catalogue.sorted.count > 1
            || catalogue.sorted.contains { !$0.introductoryOffers.isEmpty && !$0.promotionalOffers.isEmpty }
    }

    /// The products that Retention Messaging can propose, as choices of a form. The first is none.
    func products(chosen: String) -> [FieldView.Choice] {
        let all = catalogue.sorted.flatMap { product in
            [CampaignVariant.Switch(productID: product.id)]
                + (product.monthlyPlan == nil
                    ? [] : BillingPlan.allCases.map { CampaignVariant.Switch(productID: product.id, billingPlan: $0) })
        }
        var choices =
            [(id: "", label: "Nothing else")] + all.map { (id: String(decoding: $0.json.bytes, as: UTF8.self), label: text($0)) }
        if !choices.contains(where: { $0.id == chosen }) {
            let other = (try? JSONValue(parsing: Array(chosen.utf8))).flatMap(CampaignVariant.Switch.init(form:))
            choices.append((chosen, other.map(text) ?? chosen))
        }
        return ChoiceList(choices, chosen: chosen).all
    }

    /// All that a variant gives or withholds, one text each.
    func texts(_ variant: CampaignVariant) -> [String] {
        variant.offers.map(text)
            + [variant.introductoryOffer.map { text($0) }, variant.link.map { "the link \($0)" }, variant.switchTo.map(text)]
            .compactMap(\.self)
    }

    /// Returns `3 months at 4.99 instead of 9.99 USD`, or `reduced price for 3 months` if no price is known.
    ///
    /// The terms name the offer's billing plan if it is not the usual one.
    func terms(_ offer: SubscriptionOffer, of product: SubscriptionProduct) -> String {
        price(offer, of: product.on(offer.billingPlan))
            + (offer.billingPlan == .monthly ? ", with a commitment of 12 months" : "")
    }

    private func price(_ offer: SubscriptionOffer, of product: SubscriptionProduct) -> String {
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
        catalogue.sorted.filter { !$0.promotionalOffers.isEmpty || !$0.introductoryOffers.isEmpty }.map { product in
            let offers = product.promotionalOfferIDs.map { CampaignVariant.Offer(productID: product.id, offerID: $0) }
            let introductory = (product.introductoryOffers.isEmpty ? [] : [true, false]).map {
                CampaignVariant.IntroductoryOffer(productID: product.id, isAllowed: $0)
            }
            return (
                product.id,
                offers.map { (VariantFields.choice(productID: $0.productID, offerID: $0.offerID), label: text($0)) }
                    + introductory.map { (VariantFields.choice($0), label: text($0)) }
            )
        }
    }
}

extension BillingPlan {
    /// `paid at once` or `12 months paid monthly`.
    var words: String { self == .monthly ? "12 months paid monthly" : "paid at once" }

    /// The same as a choice of a form.
    var label: String { words.prefix(1).uppercased() + words.dropFirst() }
}

import EligibilityRules
import OfferService

/// A product of the catalogue and its offers.
struct CatalogueProductView: TemplateView {
    /// A sentence about what App Store Connect has stated about the product.
    struct Mark: TemplateView {
        let tone: String
        let text: RichText
    }

    /// The id of the element that shows the product's name.
    let headingID: String
    let id: String
    /// The regular price, followed by a space; empty if it is not known.
    let price: String
    let period: String
    let group: String
    let level: Int
    let hasOffers: Bool
    let offers: [CatalogueOfferRow]
    let connect: [Mark]
    /// The subscription group that signed purchases of the product state, if it is not the configured group; otherwise nil.
    let seenGroup: String?

    /// - Parameters:
    ///   - index: the product's position on the page, which makes the ids of its elements unique.
    ///   - words: describes the offers in words.
    ///   - campaigns: all campaigns of the app. Those that use an offer are shown beside it.
    init(
        _ product: SubscriptionProduct,
        at index: Int,
        _ words: OfferWords,
        _ visit: CampaignVisit,
        _ campaigns: [ManagedCampaign],
        _ statement: CatalogueStatement?,
        seenGroup: String?
    ) {
        headingID = "product-\(index)"
        id = product.id
        price = words.storefront.flatMap { product.prices[$0] }.map { "\(MoneyWords.text($0)) " } ?? ""
        period = PeriodWords.each(product.period)
        group = product.groupID
        level = product.level
        offers = Self.offers(of: product, words, campaigns, visit)
        hasOffers = !offers.isEmpty
        connect = Self.marks(product, statement, visit)
        self.seenGroup = seenGroup
    }

    private static func offers(
        of product: SubscriptionProduct,
        _ words: OfferWords,
        _ campaigns: [ManagedCampaign],
        _ visit: CampaignVisit
    ) -> [CatalogueOfferRow] {
        let introductory = product.introductoryOffer.map {
            CatalogueOfferRow(
                id: "Introductory offer", kind: "introductory", terms: words.terms($0, of: product), $0, usedBy: [], visit)
        }
        let promotional = product.promotionalOfferIDs.compactMap { id -> CatalogueOfferRow? in
            guard let offer = product.promotionalOffers[ExactText(id)] else { return nil }
            let wanted = CampaignVariant.Offer(productID: product.id, offerID: id)
            let users = campaigns.filter { campaign in
                campaign.published?.text.campaign?.design.variants.contains { $0.offers.contains(wanted) } == true
            }
            return CatalogueOfferRow(
                id: id, kind: "promotional", terms: words.terms(offer, of: product), offer, usedBy: users, visit)
        }
        let monthly = product.monthlyPlan?.introductoryOffer.map {
            CatalogueOfferRow(
                id: "Introductory offer, commitment of 12 months", kind: "introductory",
                terms: words.terms($0, of: product), $0, usedBy: [], visit)
        }
        return [introductory, monthly].compactMap(\.self) + promotional
    }

    private static func marks(_ product: SubscriptionProduct, _ statement: CatalogueStatement?, _ visit: CampaignVisit) -> [Mark]
    {
        guard let statement, let differences = statement.differences(of: product, in: visit.app) else { return [] }
        let when = visit.time.at(statement.writtenAt)
        guard !differences.isEmpty else {
            return [Mark(tone: "good", text: "App Store Connect said the same of it and of its offers, \(when).")]
        }
        return differences.map {
            Mark(tone: "warn", text: "App Store Connect, \(when): \(words($0).firstUppercased)")
        }
    }

    private static func words(_ difference: CatalogueStatement.Difference) -> String {
        let place = difference.place.isEmpty ? "" : difference.place + ": "
        guard let field = difference.field else {
            return place + (difference.configured == nil ? "only there, not in the configuration" : "only in the configuration")
        }
        let said = { (value: String?) in value.map { field == "period" ? PeriodWords.text($0) : $0 } ?? "not said" }
        return "\(place)\(field) is \(said(difference.connect)) there, and \(said(difference.configured)) here, which counts"
    }
}

/// An offer of a product in the catalogue.
struct CatalogueOfferRow: TemplateView {
    let id: String
    let kind: String
    let terms: String
    let limits: String
    /// Links to the campaigns that give the offer.
    let campaigns: [LinkView]

    init(
        id: String, kind: String, terms: String, _ offer: SubscriptionOffer, usedBy users: [ManagedCampaign],
        _ visit: CampaignVisit
    ) {
        self.id = id
        self.kind = kind
        self.terms = terms
        limits = offer.limits.map(Self.words) ?? "none"
        campaigns = users.map { LinkView(href: visit.path($0.name.id, "review"), label: $0.title) }
    }

    private static func words(_ limits: OfferLimits) -> String {
        var words: [String] = []
        if let count = limits.perCustomer {
            words.append("\(count) per customer\(limits.per.map { " in \(PeriodWords.text($0.text))" } ?? "")")
        }
        if let cooldown = limits.cooldown { words.append("again after \(PeriodWords.text(cooldown.text))") }
        if let count = limits.outstanding { words.append("\(ConsoleTime.count(count, "signature")) at a time") }
        if limits.notWhileActive { words.append("not for subscribers") }
        if let total = limits.total { words.append("\(ConsoleTime.number(total)) in all") }
        return words.isEmpty ? "none" : words.joined(separator: ", ")
    }
}

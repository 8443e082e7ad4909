import EligibilityRules
import Hummingbird
import OfferService

/// The products and offers of an app as the service knows them.
struct CataloguePage: Sendable {
    let route: CampaignRoute
    /// The catalogues that App Store Connect stated; nil where they are not kept.
    let statement: CatalogueStatement?

    var routes: [OperationRoute] {
        [
            route.get("/catalogue", .catalogue) { request, visit in
                _ = try request.query([])
                return try await page(visit)
            }
        ]
    }

    private func page(_ visit: CampaignVisit) async throws -> Response {
        let campaigns = visit.may(.campaigns) ? try await route.campaigns.running(of: visit.app) : []
        let seen = visit.app.groups.current
        let products = visit.app.catalogue.sorted.sorted { ($0.groupID, $0.level, $0.id) < ($1.groupID, $1.level, $1.id) }
        let values: [String: Any] = [
            "said": said(visit), "app": visit.app.bundleID, "now": visit.time.at(visit.now), "hasProducts": !products.isEmpty,
            "products": products.enumerated().map { index, product -> [String: Any] in
                let offers = offers(of: product, campaigns, visit)
                return [
                    "id": product.id, "headingID": "product-\(index)", "period": PeriodWords.text(product.period),
                    "group": product.groupID, "level": product.level, "hasOffers": !offers.isEmpty, "offers": offers,
                    "connect": marks(product, visit), "seenGroup": seen.group(ofProduct: product.id) ?? false as Any,
                ]
            },
        ]
        return route.route.pages.page(
            .catalogue, values, title: "Catalogue", at: .catalogue, in: visit.app.bundleID, for: visit.visitor)
    }

    /// Returns when App Store Connect was last asked, as HTML.
    private func said(_ visit: CampaignVisit) -> String {
        guard let statement, statement.apps.contains(visit.app.bundleID) else {
            return "App Store Connect was not asked: the configuration has no pulled file beside it."
        }
        let file = "<code>\(ByteEscaping().escapeText(statement.file))</code>"
        return "App Store Connect was last asked \(visit.time.at(statement.writtenAt)), when \(file) was written."
    }

    private func marks(_ product: SubscriptionProduct, _ visit: CampaignVisit) -> [[String: Any]] {
        guard let statement, let differences = statement.differences(of: product, in: visit.app) else { return [] }
        let when = visit.time.at(statement.writtenAt)
        guard !differences.isEmpty else {
            return [["tone": "good", "text": "App Store Connect said the same of it and of its offers, \(when)."]]
        }
        return differences.map { difference in
            [
                "tone": "warn",
                "text": "App Store Connect, \(when): \(ByteEscaping().escapeText(Self.words(difference).firstUppercased))",
            ]
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

    private func offers(of product: SubscriptionProduct, _ campaigns: [ManagedCampaign], _ visit: CampaignVisit) -> [[String:
        Any]]
    {
        let introductory = product.introductoryOffer.map { [row("Introductory offer", "introductory", $0, [], visit)] } ?? []
        return introductory
            + product.promotionalOfferIDs.compactMap { id in
                guard let offer = product.promotionalOffers[ExactText(id)] else { return nil }
                let wanted = CampaignVariant.Offer(productID: product.id, offerID: id)
                let users = campaigns.filter { campaign in
                    campaign.published?.text.campaign?.variants.contains { $0.offers.contains(wanted) } == true
                }
                return row(id, "promotional", offer, users, visit)
            }
    }

    private func row(_ id: String, _ kind: String, _ offer: SubscriptionOffer, _ users: [ManagedCampaign], _ visit: CampaignVisit)
        -> [String: Any]
    {
        [
            "id": id, "kind": kind, "terms": OfferWords.terms(offer), "limits": offer.limits.map(Self.words) ?? "none",
            "campaigns": users.map { ["href": visit.path($0.name.id, "review"), "name": CampaignHead.name($0)] },
        ]
    }

    private static func words(_ limits: OfferLimits) -> String {
        var words: [String] = []
        if let count = limits.perCustomer {
            words.append("\(count) per customer\(limits.per.map { " in \(PeriodWords.text($0.text))" } ?? "")")
        }
        if let cooldown = limits.cooldown { words.append("again after \(PeriodWords.text(cooldown.text))") }
        if limits.notWhileActive { words.append("not for subscribers") }
        if let total = limits.total { words.append("\(ConsoleTime.number(total)) in all") }
        return words.isEmpty ? "none" : words.joined(separator: ", ")
    }
}

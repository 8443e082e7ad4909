import EligibilityRules
import Hummingbird
import OfferService

/// The page that shows the products and offers of an app that the configuration lists.
struct CataloguePage: Sendable {
    let route: CampaignRoute

    var routes: [OperationRoute] {
        [
            route.get("/catalogue", .catalogue) { request, visit in
                _ = try request.query([])
                let campaigns = visit.may(.campaigns) ? try await route.campaigns.running(of: visit.app) : []
                return route.route.pages.page(
                    CatalogueView(visit, campaigns, route.route.pages.apps.statement), title: "Catalogue", at: .catalogue,
                    in: visit.app.bundleID, for: visit.visitor)
            }
        ]
    }
}

/// The products of an app and their offers, for the template `catalogue`.
struct CatalogueView: PageView {
    static let template = "catalogue"

    let app: String
    let now: RichText
    /// A sentence about when App Store Connect was last asked for the catalogue.
    let said: RichText
    /// A sentence about which storefront's prices are shown; empty if no prices are known.
    let prices: String
    let hasProducts: Bool
    let products: [CatalogueProductView]

    /// - Parameters:
    ///   - campaigns: all campaigns of the app. Those that use an offer are shown beside it.
    ///   - statement: what App Store Connect has stated about the catalogue; nil if there is no file with it.
    init(_ visit: CampaignVisit, _ campaigns: [ManagedCampaign], _ statement: CatalogueStatement?) {
        let sorted = visit.app.catalogue.sorted.sorted { ($0.groupID, $0.level, $0.id) < ($1.groupID, $1.level, $1.id) }
        app = visit.app.bundleID
        now = visit.time.at(visit.now)
        said = Self.said(statement, visit)
        let words = OfferWords(catalogue: visit.app.catalogue)
        prices = words.note
        hasProducts = !sorted.isEmpty
        let groups = visit.app.groups.current
        products = sorted.enumerated().map {
            CatalogueProductView($1, at: $0, words, visit, campaigns, statement, seenGroup: groups.group(ofProduct: $1.id))
        }
    }

    private static func said(_ statement: CatalogueStatement?, _ visit: CampaignVisit) -> RichText {
        guard let statement, statement.apps.contains(visit.app.bundleID) else {
            return "App Store Connect was not asked: the configuration has no pulled file beside it."
        }
        let when = visit.time.at(statement.writtenAt)
        return "App Store Connect was last asked \(when), when \(code: statement.file) was written."
    }
}

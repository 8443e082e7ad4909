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
                let campaigns = visit.may(.campaigns) ? try await route.campaigns.running(of: visit.app) : []
                return route.route.pages.page(
                    CatalogueView(visit, campaigns, statement), title: "Catalogue", at: .catalogue, in: visit.app.bundleID,
                    for: visit.visitor)
            }
        ]
    }
}

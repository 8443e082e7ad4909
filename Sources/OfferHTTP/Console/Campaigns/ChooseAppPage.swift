import Hummingbird
import OfferService

/// Redirects to a page about the only app that the reader may see.
///
/// If the reader may see several apps, the page asks which one is meant.
struct ChooseAppPage: Sendable {
    private static let parts: [(path: String, title: String, permission: Permission)] = [
        ("campaigns", "Campaigns", .campaigns), ("segments", "Segments", .campaigns), ("try", "Try a customer", .campaigns),
        ("catalogue", "Catalogue", .catalogue),
    ]

    let route: ConsoleRoute
    let apps: AppDirectory

    var routes: [OperationRoute] {
        Self.parts.map { path, title, permission in
            route.get("/\(path)", permission) { _, visitor in
                let mine = apps.bundleIDs.filter(visitor.caller.mayUse)
                let links = mine.map { LinkView(href: "/console/apps/\(PercentEncoding.encoded($0))/\(path)", label: $0) }
                if links.count == 1 { return route.pages.redirect(to: links[0].href) }
                return route.pages.page(
                    ChooseAppView(title: title, apps: links), title: title,
                    at: ConsolePages.Place(rawValue: path) ?? .elsewhere, for: visitor)
            }
        }
    }
}

/// The apps to choose from, for the template `choose-app`.
struct ChooseAppView: PageView {
    static let template = "choose-app"

    let title: String
    let apps: [LinkView]
}

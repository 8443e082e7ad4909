import Hummingbird
package import OfferService

/// The pages that users administer the service with, over the use cases of the API.
package struct Console: Sendable {
    private let route: ConsoleRoute
    private let all: [OperationRoute]

    /// Throws the fault of a template.
    ///
    /// - Parameters:
    ///   - door: the ways into the console, as the gate has them.
    ///   - catalogue: the catalogues that App Store Connect stated; nil where they are not kept.
    ///   - answerTimes: how long requests for signatures have taken so far.
    package init(
        door: ConsoleDoor,
        keys: KeyAdministration,
        replicas: ReplicaDesk,
        canary: KeyCanary,
        access: AccessDesk,
        apps: AppDirectory,
        directory: AccessDirectory,
        checks: [ReadinessCheck],
        audit: AuditLog,
        browser: AuditBrowser,
        tallies: OfferTallies,
        campaigns: CampaignAdministration,
        trial: CampaignTrial,
        reach: CampaignReach,
        customers: CustomerDesk,
        catalogue: CatalogueStatement?,
        results: CampaignResultsDesk,
        answerTimes: @escaping @Sendable () -> AnswerTimes,
        system: SystemEnvironment
    ) throws {
        let route = ConsoleRoute(
            pages: ConsolePages(
                templates: try ConsoleTemplates(), apps: apps, system: system, isSecure: door.isSecure,
                idleMinutes: door.sessions.limits.idle / 60_000))
        let names = CallerNames(directory: directory)
        self.route = route
        all =
            SignInPages(route: route, door: door, audit: audit).routes
            + OverviewPage(
                route: route, keys: keys, replicas: replicas, access: access, checks: checks, names: names, apps: apps,
                tallies: tallies,
                answerTimes: answerTimes
            ).routes
            + KeysPage(route: route, keys: keys, canary: canary, apps: apps, names: names).routes
            + KeyChangePages(route: route, keys: keys, apps: apps).routes
            + AccessPages(route: route, access: access, apps: apps).routes
            + Self.offers(
                CampaignRoute(route: route, campaigns: campaigns, names: names, zones: TimeZones()), trial, customers, catalogue,
                reach,
                results, apps)
            + AuditPages(route: route, audit: browser, apps: apps, names: names).routes
    }

    /// Returns the routes about the offers of one app.
    private static func offers(
        _ route: CampaignRoute,
        _ trial: CampaignTrial,
        _ customers: CustomerDesk,
        _ catalogue: CatalogueStatement?,
        _ reach: CampaignReach,
        _ results: CampaignResultsDesk,
        _ apps: AppDirectory
    ) -> [OperationRoute] {
        ChooseAppPage(route: route.route, apps: apps).routes + CampaignListPage(route: route).routes
            + CampaignEditor(route: route, reach: ReachPanel(reach: reach)).routes + CampaignReviewPage(route: route).routes
            + CampaignHistoryPage(route: route).routes + CampaignConfirmPages(route: route).routes
            + CampaignTestersPage(route: route).routes
            + CataloguePage(route: route, statement: catalogue).routes
            + TrialPage(route: route, trial: trial, customers: customers).routes
            + ResultsPage(route: route, desk: results).routes + WinnerPage(route: route, desk: results).routes
    }

    var routes: [OperationRoute] {
        all + [asset("console.css", type: "text/css"), asset("console.js", type: "text/javascript")]
    }

    private func asset(_ name: String, type: String) -> OperationRoute {
        let bytes = Resource.bytes("console/\(name)")
        return route.open("/assets/\(name)") { _ in route.pages.asset(bytes, type: "\(type); charset=utf-8") }
    }
}

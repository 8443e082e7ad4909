import Hummingbird
package import OfferService

/// The console: the pages with which users administer the service.
///
/// The pages call the same use cases as the API.
package struct Console: Sendable {
    private let route: ConsoleRoute
    private let all: [OperationRoute]

    /// Throws if a template cannot be compiled.
    ///
    /// - Parameter door: recognises signed-in users. The gate must have the same one, so that both know the same sessions.
    package init(
        door: ConsoleDoor,
        keys: KeyUseCases,
        access: AccessUseCases,
        offers: OfferUseCases,
        events: EventDesk,
        examination: SignatureExamination,
        health: ServiceHealth,
        system: SystemEnvironment
    ) throws {
        let apps = access.apps
        let route = ConsoleRoute(
            pages: ConsolePages(
                templates: try ConsoleTemplates(pages: Self.pages), apps: apps, system: system, isSecure: door.isSecure,
                idleMinutes: door.sessions.limits.idle / 60_000))
        let names = CallerNames(directory: access.directory)
        self.route = route
        all =
            SignInPages(route: route, door: door, audit: access.audit).routes
            + OverviewPage(
                route: route, keys: keys.administration, replicas: keys.replicas, access: access.desk,
                campaigns: offers.campaigns, health: health, names: names, apps: apps
            ).routes
            + KeysPage(route: route, keys: keys.administration, canary: keys.canary, apps: apps, names: names).routes
            + KeyChangePages(route: route, keys: keys.administration, apps: apps).routes
            + AccessPages(route: route, access: access.desk, apps: apps).routes
            + ChooseAppPage(route: route, apps: apps).routes
            + Self.pages(
                of: CampaignRoute(route: route, campaigns: offers.campaigns, names: names), offers)
            + AuditPages(route: route, audit: access.browser, apps: apps, names: names).routes
            + EventPages(route: route, desk: events).routes
            + VerifyPage(route: route, apps: apps, examination: examination).routes
    }

    /// Returns the routes about the offers of one app.
    private static func pages(of route: CampaignRoute, _ offers: OfferUseCases) -> [OperationRoute] {
        CampaignListPage(route: route).routes
            + CampaignEditor(route: route, reach: ReachPanel(reach: offers.reach, campaigns: offers.campaigns)).routes
            + CampaignReviewPage(route: route, reach: ReachPanel(reach: offers.reach, campaigns: offers.campaigns)).routes
            + CampaignHistoryPage(route: route).routes
            + CampaignConfirmPages(route: route).routes + CampaignTestersPage(route: route).routes
            + CampaignNotesPage(route: route).routes + SegmentPages(route: route).routes
            + CataloguePage(route: route).routes
            + TrialPage(route: route, trial: offers.trial, customers: offers.customers).routes
            + ResultsPage(route: route, desk: offers.results).routes + WinnerPage(route: route, desk: offers.results).routes
    }

    var routes: [OperationRoute] {
        all + [asset("console.css", type: "text/css"), asset("console.js", type: "text/javascript")]
    }

    private func asset(_ name: String, type: String) -> OperationRoute {
        let bytes = Resource.bytes("console/\(name)")
        return route.open("/assets/\(name)") { _ in route.pages.asset(bytes, type: "\(type); charset=utf-8") }
    }
}

extension Console {
    /// The pages, the frames around them, and the parts of pages that a script asks for.
    ///
    /// Their templates are compiled at startup.
    static var pages: [any PageView.Type] {
        [
            FrameView.self, AloneView.self, ProblemView.self, SignInView.self, SessionsView.self, OverviewView.self,
            KeysView.self,
            KeyChangeView.self, AccessView.self, AccessRevokeView.self, AuditView.self, ChooseAppView.self, CampaignListView.self,
            EditorView.self, ReachView.self, CampaignReviewView.self, CampaignConfirmView.self, CampaignTestersView.self,
            CampaignHistoryView.self, SegmentListView.self, SegmentView.self, ResultsView.self, CatalogueView.self,
            TrialView.self, EventsView.self, EventView.self, VerifyView.self,
        ]
    }
}

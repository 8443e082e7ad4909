package import OfferService

/// The administration routes of the API, over the use cases behind them.
package struct Administration: Sendable {
    let routes: [OperationRoute]

    /// Creates the administration over its use cases.
    package init(keys: KeyUseCases, access: AccessUseCases, offers: OfferUseCases, events: EventDesk) {
        let apps = access.apps
        routes =
            KeysController(keys: keys.administration, apps: apps).routes + AccessController(access: access.desk).routes
            + AppsController(apps: apps, keys: keys.ring).routes + AuditController(audit: access.browser).routes
            + CustomersController(
                apps: apps, binding: offers.binding, desk: offers.customers, refunds: offers.refunds
            ).routes
            + CampaignsController(campaigns: offers.campaigns).routes
            + ReachController(reach: offers.reach, campaigns: offers.campaigns).routes
            + SegmentsController(campaigns: offers.campaigns).routes
            + TrialController(trial: offers.trial, apps: apps).routes
            + CampaignResultsController(apps: apps, desk: offers.results).routes
            + CampaignTestersController(campaigns: offers.campaigns).routes + ReplicasController(desk: keys.replicas).routes
            + EventsController(desk: events).routes
    }
}

package import OfferService

/// The routes of the API that administer the service, with the use cases that do their work.
package struct Administration: Sendable {
    let routes: [OperationRoute]

    /// Creates the routes from the use cases that do their work.
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

/// The use cases about signing keys and replicas.
package struct KeyUseCases: Sendable {
    let administration: KeyAdministration
    let ring: CurrentKeyRing
    let canary: KeyCanary
    let replicas: ReplicaDesk

    package init(administration: KeyAdministration, ring: CurrentKeyRing, canary: KeyCanary, replicas: ReplicaDesk) {
        self.administration = administration
        self.ring = ring
        self.canary = canary
        self.replicas = replicas
    }
}

/// The use cases about access keys and the audit log.
package struct AccessUseCases: Sendable {
    let apps: AppDirectory
    let directory: AccessDirectory
    let desk: AccessDesk
    let audit: AuditLog
    let browser: AuditBrowser

    package init(apps: AppDirectory, directory: AccessDirectory, desk: AccessDesk, audit: AuditLog) {
        self.apps = apps
        self.directory = directory
        self.desk = desk
        self.audit = audit
        browser = AuditBrowser(log: audit)
    }
}

/// The use cases about campaigns, customers and the catalogue.
package struct OfferUseCases: Sendable {
    let campaigns: CampaignAdministration
    let trial: CampaignTrial
    let reach: CampaignReach
    let results: CampaignResultsDesk
    let customers: CustomerDesk
    let binding: CustomerBinding
    let refunds: RefundDesk

    package init(
        campaigns: CampaignAdministration,
        trial: CampaignTrial,
        reach: CampaignReach,
        results: CampaignResultsDesk,
        customers: CustomerDesk,
        binding: CustomerBinding,
        refunds: RefundDesk
    ) {
        self.campaigns = campaigns
        self.trial = trial
        self.reach = reach
        self.results = results
        self.customers = customers
        self.binding = binding
        self.refunds = refunds
    }
}

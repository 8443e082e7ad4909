package import OfferService

/// The administration routes of the API, over the use cases behind them.
package struct Administration: Sendable {
    private let keys: KeyAdministration
    private let access: AccessDesk
    private let apps: AppDirectory
    private let ring: CurrentKeyRing
    private let audit: AuditBrowser
    private let binding: CustomerBinding
    private let customers: CustomerDesk
    private let campaigns: CampaignAdministration
    private let reach: CampaignReach
    private let results: CampaignResultsDesk
    private let trial: CampaignTrial
    private let replicas: ReplicaDesk

    /// Creates the administration over its use cases.
    package init(
        keys: KeyAdministration,
        access: AccessDesk,
        apps: AppDirectory,
        ring: CurrentKeyRing,
        audit: AuditBrowser,
        binding: CustomerBinding,
        customers: CustomerDesk,
        campaigns: CampaignAdministration,
        reach: CampaignReach,
        results: CampaignResultsDesk,
        trial: CampaignTrial,
        replicas: ReplicaDesk
    ) {
        self.campaigns = campaigns
        self.reach = reach
        self.results = results
        self.trial = trial
        self.replicas = replicas
        self.keys = keys
        self.access = access
        self.apps = apps
        self.ring = ring
        self.audit = audit
        self.binding = binding
        self.customers = customers
    }

    var routes: [OperationRoute] {
        KeysController(keys: keys, apps: apps).routes + AccessController(access: access).routes
            + AppsController(apps: apps, keys: ring).routes + AuditController(audit: audit).routes
            + CustomersController(apps: apps, binding: binding, desk: customers).routes
            + CampaignsController(campaigns: campaigns).routes + ReachController(reach: reach, apps: apps).routes
            + TrialController(trial: trial, apps: apps).routes + CampaignResultsController(apps: apps, desk: results).routes
            + CampaignTestersController(campaigns: campaigns).routes + ReplicasController(desk: replicas).routes
    }
}

import OfferHTTP
import OfferService
import OfferStore

/// What people administer the service with.
struct AdministrationParts {
    let api: Administration
    let door: ConsoleDoor
    let console: Console
    let canary: KeyCanary

    /// - Parameter checks: what must hold for the service to sign.
    init(
        _ environment: ServiceEnvironment,
        _ stores: StoreParts,
        _ parts: KeyParts,
        _ histories: HistoryParts,
        _ cases: UseCases,
        checks: [ReadinessCheck]
    ) throws {
        let (configuration, system, store) = (environment.configuration, environment.system, stores.store.signing)
        let (apps, directory, ring, audit) = (parts.apps, parts.directory, parts.ring, stores.audit)
        let replicas = ReplicaDesk(store: stores.replicas)
        let keys = KeyAdministration(
            desk: KeyDesk(store: store.keys, replicas: store.replicas, system: system), access: store.access, ring: ring,
            apps: apps, folder: parts.folder, audit: audit)
        let access = AccessDesk(store: store.access, directory: directory, apps: apps, system: system)
        canary = KeyCanary(keys: ring, system: system, failures: environment.failures)
        let browser = AuditBrowser(log: audit)
        let customers = CustomerDesk(
            store: stores.store, audit: audit, retentionHours: configuration.retentionHours, system: system)
        let campaigns = CampaignAdministration(
            store: store.campaigns, exposures: store.exposures, access: store.access, apps: apps, system: system)
        let trial = CampaignTrial(
            campaigns: store.campaigns, exposures: store.exposures, histories: stores.store.purchases.histories,
            system: system)
        api = Administration(
            keys: keys, access: access, apps: apps, ring: ring, audit: browser, binding: histories.binding,
            customers: customers, campaigns: campaigns, reach: cases.reach, results: cases.results, trial: trial,
            replicas: replicas)
        door = AdministrationParts.door(environment, store, directory)
        console = try Console(
            door: door, keys: keys, replicas: replicas, canary: canary, access: access, apps: apps, directory: directory,
            checks: checks, audit: audit, browser: browser, tallies: OfferTallies(store: store.audit, system: system),
            campaigns: campaigns, trial: trial, reach: cases.reach, customers: customers,
            catalogue: configuration.catalogue, results: cases.results,
            answerTimes: environment.registry.answerTimes(since: system.now()), system: system)
    }

    private static func door(
        _ environment: ServiceEnvironment,
        _ store: SigningStore,
        _ directory: AccessDirectory
    ) -> ConsoleDoor {
        let (http, console) = (environment.configuration.http, environment.configuration.console)
        return ConsoleDoor(
            sessions: ConsoleSessions(
                store: store.sessions, directory: directory,
                limits: ConsoleSessions.Limits(idle: console.idleMinutes * 60_000, absolute: console.maxHours * 3_600_000),
                system: environment.system),
            isSecure: http.tls != nil || http.tlsEndsInProxy, proxy: console.proxySignIn,
            observer: ProxySignInMetrics(factory: environment.registry, logger: environment.logger))
    }
}

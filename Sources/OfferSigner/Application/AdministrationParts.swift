import OfferHTTP
import OfferService
import OfferStore

/// What people administer the service with.
struct AdministrationParts {
    let api: Administration
    let door: ConsoleDoor
    let console: Console
    let canary: KeyCanary

    /// - Parameters:
    ///   - isSecure: whether browsers come by TLS.
    ///   - checks: what must hold for the service to sign.
    ///   - answerTimes: how long requests for signatures have taken so far.
    init(
        _ configuration: ServiceConfiguration,
        _ store: SigningStore,
        replicas: ReplicaDesk,
        apps: AppDirectory,
        directory: AccessDirectory,
        ring: KeyRingHolder,
        folder: KeyFolder,
        checks: [ReadinessCheck],
        audit: AuditLog,
        binding: CustomerBinding,
        customers: CustomerDesk,
        histories: any HistoryStore,
        reach: CampaignReach,
        results: CampaignResultsDesk,
        answerTimes: @escaping @Sendable () -> AnswerTimes,
        system: SystemEnvironment,
        failures: FailureLog,
        proxyObserver: any ProxySignInObserver
    ) throws {
        let keys = KeyAdministration(
            desk: KeyDesk(store: store.keys, replicas: store.replicas, system: system), access: store.access, ring: ring,
            apps: apps,
            folder: folder, audit: audit)
        let access = AccessDesk(store: store.access, directory: directory, apps: apps, system: system)
        canary = KeyCanary(keys: ring, system: system, failures: failures)
        let browser = AuditBrowser(log: audit)
        let campaigns = CampaignAdministration(
            store: store.campaigns, exposures: store.exposures, access: store.access, apps: apps, system: system)
        let trial = CampaignTrial(
            campaigns: store.campaigns, exposures: store.exposures, histories: histories, system: system)
        api = Administration(
            keys: keys, access: access, apps: apps, ring: ring, audit: browser, binding: binding, customers: customers,
            campaigns: campaigns, reach: reach, results: results, trial: trial, replicas: replicas)
        door = ConsoleDoor(
            sessions: ConsoleSessions(
                store: store.sessions, directory: directory,
                limits: ConsoleSessions.Limits(
                    idle: configuration.console.idleMinutes * 60_000, absolute: configuration.console.maxHours * 3_600_000),
                system: system),
            isSecure: configuration.http.tls != nil || configuration.http.tlsEndsInProxy,
            proxy: configuration.console.proxySignIn, observer: proxyObserver)
        console = try Console(
            door: door, keys: keys, replicas: replicas, canary: canary, access: access, apps: apps, directory: directory,
            checks: checks,
            audit: audit, browser: browser, tallies: OfferTallies(store: store.audit, system: system), campaigns: campaigns,
            trial: trial, reach: reach, customers: customers, catalogue: configuration.catalogue, results: results,
            answerTimes: answerTimes, system: system)
    }
}

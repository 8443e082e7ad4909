import OfferHTTP
import OfferService
import OfferStore

/// The parts with which people administer the service: the API, the console and the test of the keys.
struct AdministrationParts {
    let api: Administration
    let door: ConsoleDoor
    let console: Console
    let canary: KeyCanary

    /// - Parameter checks: the conditions under which the service is ready to sign.
    init(
        _ environment: ServiceEnvironment,
        _ stores: StoreParts,
        _ parts: KeyParts,
        _ histories: HistoryParts,
        _ cases: UseCases,
        _ events: EventParts,
        checks: [ReadinessCheck]
    ) throws {
        let (configuration, system, store) = (environment.configuration, environment.system, stores.store.signing)
        canary = KeyCanary(keys: parts.ring, system: system, failures: environment.failures)
        let keys = KeyUseCases(
            administration: store.keyAdministration(parts.ring, parts.folder, parts.apps, system: system),
            ring: parts.ring, canary: canary, replicas: ReplicaDesk(store: stores.replicas))
        let access = AccessUseCases(
            apps: parts.apps, directory: parts.directory,
            desk: store.accessDesk(parts.apps, parts.directory, system: system),
            audit: stores.audit)
        let offers = OfferUseCases(
            campaigns: store.campaignAdministration(parts.apps, system: system),
            trial: CampaignTrial(
                campaigns: store.marketing.campaigns, exposures: store.marketing.exposures,
                histories: stores.store.purchases.histories,
                system: system),
            reach: cases.reach, results: cases.results,
            customers: stores.store.customerDesk(configuration, stores.audit, system: system),
            binding: histories.useCases.binding, refunds: histories.refunds)
        api = Administration(keys: keys, access: access, offers: offers, events: events.desk)
        door = AdministrationParts.door(environment, store, parts.directory)
        console = try Console(
            door: door, keys: keys, access: access, offers: offers, events: events.desk,
            examination: cases.examination,
            health: ServiceHealth(
                checks: checks, tallies: OfferTallies(store: store.audit, system: system),
                answerTimes: environment.metrics.answerTimes(since: system.now())),
            system: system)
    }

    private static func door(
        _ environment: ServiceEnvironment,
        _ store: SigningStore,
        _ directory: AccessDirectory
    ) -> ConsoleDoor {
        let (http, console) = (environment.configuration.http, environment.configuration.console)
        return ConsoleDoor(
            sessions: ConsoleSessions(
                store: store.credentials.sessions, directory: directory,
                limits: ConsoleSessions.Limits(idle: console.idleMinutes * 60_000, absolute: console.maxHours * 3_600_000),
                system: environment.system),
            isSecure: http.tls != nil || http.tlsEndsInProxy, proxy: console.proxySignIn,
            observer: ProxySignInMetrics(environment.registry, logger: environment.logger))
    }
}

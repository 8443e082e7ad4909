import EligibilityRules
import OfferService
import OfferStore
import ServiceLifecycle

/// The services that keep this process's copies of stored data up to date, and the store in order.
struct UpkeepParts {
    let replica: ReplicaWatch
    /// Reads access keys, signing keys and campaigns again when they have changed in the store.
    let changes: ChangeWatch
    private let uses: AccessUseRecorder
    private let watches: [any Service]
    /// The services that only one of the processes that serve the same files runs.
    private let chores: [any Service]

    /// All services of this part.
    var services: [any Service] { [replica, changes, uses] + chores + watches }

    init(_ environment: ServiceEnvironment, _ stores: StoreParts, _ keys: KeyParts, _ cases: UseCases) {
        let (system, failures, logger) = (environment.system, environment.failures, environment.logger)
        let (signing, purchases) = (stores.store.signing, stores.store.purchases)
        let (started, settings) = (Replica(environment), environment.settings)
        let own: @Sendable () -> Replica = {
            var own = started
            own.configurationDigest = Replica.digest(of: settings.current.settings)
            return own
        }
        replica = ReplicaWatch(
            own, store: stores.replicas, keys: keys.ring, clock: keys.clock, count: environment.replicas, system: system,
            failures: failures, logger: logger)
        changes = ChangeWatch(
            feed: signing.processes.changes, followers: [keys.directory, keys.ring, cases.campaigns], system: system,
            failures: failures)
        uses = AccessUseRecorder(directory: keys.directory, store: signing.credentials.access, system: system, failures: failures)
        watches = [
            StoreWatch(
                signatures: signing.file, histories: purchases.file, commits: stores.standing.map { (signing.ledger, $0) },
                system: system, logger: logger),
            ClockWatch(clock: keys.clock, store: signing.processes.clock, system: system, logger: logger),
            KeyWatch(keys: keys.ring, system: system, logger: logger),
        ]
        chores = stores.hasChores ? UpkeepParts.chores(environment, stores, keys, cases) : []
    }

    private static func chores(
        _ environment: ServiceEnvironment,
        _ stores: StoreParts,
        _ keys: KeyParts,
        _ cases: UseCases
    ) -> [any Service] {
        let (configuration, store) = (environment.configuration, stores.store)
        let now: @Sendable () -> Instant? = { [clock = keys.clock] in try? clock.now() }
        let turn = stores.isShared ? (store.purchases.leases, environment.replicaID) : nil
        let campaigns = CampaignWatch(
            results: cases.results, store: store.signing.marketing.campaigns, limits: store.signing.ledger, apps: keys.apps,
            turn: turn,
            system: environment.system, failures: environment.failures)
        let janitor = LedgerJanitor(
            ledger: store.signing.ledger, histories: store.purchases.histories,
            turn: turn,
            storagePeriods: RetentionPeriods(
                ledger: configuration.retentionHours * 3_600_000,
                notifications: configuration.notificationRetentionHours * 3_600_000),
            now: now, system: environment.system, failures: environment.failures)
        let access = AccessWatch(
            store: store.signing.credentials.access, audit: store.signing.audit, progress: store.purchases.progress,
            turn: turn, now: now, system: environment.system, failures: environment.failures)
        guard configuration.auditVerifyPercent > 0 else { return [janitor, campaigns, access] }
        let watch = AuditWatch(
            store: store.signing.audit, sealer: stores.sealer, keys: keys.ring, percent: configuration.auditVerifyPercent,
            system: environment.system, failures: environment.failures)
        return [janitor, campaigns, access, watch]
    }
}

import AppStore
import AppStoreClient
import EligibilityRules
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import OfferHTTP
import OfferService
import OfferSigning
import OfferStore
import OfferStoreSQLite
import ServiceLifecycle

/// The composition root: the only place where services are made and put together.
struct ServiceApplication {
    let services: [any Service]
    let lock: ServingLock?
    let store: Store
    let audit: AuditLog
    let sink: LogSink
    let logLevel: LogLevel
    let logger: Logger
    let hardware: HardwareKeys

    /// Opens the store, loads the keys and wires everything up; listens on nothing yet.
    ///
    /// - Parameter sharesStore: whether other processes of this machine may serve the same store.
    static func build(
        _ configuration: ServiceConfiguration,
        sharesStore: Bool = false,
        system: SystemEnvironment = .live,
        sink: LogSink = .standardOutput
    ) async throws -> ServiceApplication {
        let logLevel = LogLevel(configuration.logLevel)
        let logger = Logger(label: "offersigner") { label in
            JSONLogHandler(label: label, level: logLevel, sink: sink)
        }
        let registry = PrometheusRegistry()
        let metrics = ServiceMetrics(factory: registry)
        let failures = FailureLog(logger: logger) { metrics.countFailure(subject: $0.subject.rawValue, code: $0.code) }
        let log = RequestLog(sink: sink, level: logLevel, hasOffers: configuration.logsSignatures)
        let observer = ServiceObserver(log: log, metrics: metrics, failures: failures)

        let isNew = try configuration.isStoreNew
        let store = try configuration.openStore(system: system, observer: metrics) { logger.notice("\($0)") }
        if isNew { logger.notice("the store is new", metadata: ["store": "\(configuration.storeName)"]) }
        let lock = try configuration.lockStore(isNeeded: !sharesStore)
        let (ledger, histories) = (store.signing.ledger, store.purchases.histories)
        let auditKeys = AuditKeyFolder(directory: configuration.keys.directory)
        let audit = AuditLog(store: store.signing.audit, keys: auditKeys, system: system)
        let sealer = AuditSealer(
            store: store.signing.audit, keys: auditKeys, interval: .seconds(configuration.auditSealSeconds), system: system,
            logger: logger, failures: failures, onSeal: log.write(seal:))
        let directory = AccessDirectory(store: store.signing.access, feed: store.signing.changes)
        try await directory.refresh()

        let xcode = try XcodeKeys(configuration)
        let apps = AppDirectory(configuration.apps.map { App($0, xcodeKey: xcode.key(of: $0.bundleID)) })
        let campaigns = LiveCampaigns(store: store.signing.campaigns, apps: apps, failures: failures)
        try await campaigns.follow(store.signing.changes.revisions()[.campaigns] ?? 0)
        let lacksHistories = try await configuration.lacksHistories(histories, ledger)
        if lacksHistories { logger.warning("\(ServiceConfiguration.lackOfHistories)") }
        let hardware = HardwareKeys(for: .sign)
        let folder = KeyFolder(configuration, hardware: hardware, xcode: xcode)
        let keys = try await keyRing(folder, apps, store.signing, system: system, log: KeyLog(logger: logger))
        let nonces = try await nonceDesk(configuration, secrets: store.signing.secrets, system: system)
        let clock = SigningClock(
            system: system, record: try await store.signing.clock.clockRecord(), maxAhead: configuration.maxClockAhead)

        let reader = try SignedDataReader(configuration, system: system)
        let monitor = HistoryMonitor(metrics: metrics, logger: logger)
        let counter = RedemptionCounter(redemptions: store.redemptions, ledger: ledger, apps: apps, system: system)
        let vault = ReceiptVault(folder: ReceiptSecretFolder(directory: configuration.keys.directory), logger: logger)
        let keeper = ReceiptKeeper(vault: vault)
        if apps.all.contains(where: \.isPolledByReceipt) { vault.follow() }
        let intake = HistoryIntake(
            store: histories, reader: reader, system: system, observer: monitor, counter: counter, audit: audit,
            keeper: keeper)
        let notifications = NotificationIntake(intake: intake)
        let groups = GroupWatch(
            apps: apps, histories: histories, observer: monitor, interval: .seconds(30), system: system, failures: failures)
        await groups.lookOnce()
        let (replicaID, replicaCount) = (RequestID.make(), ReplicaCount())
        let appStore = AppStoreAccess(
            configuration, apps: apps, keys: keys, transport: HTTPClientTransport(), replicas: replicaCount, system: system)
        let refresh = HistoryRefresh(intake: intake, serverAPIs: appStore.serverAPIs)
        let lapsed =
            configuration.lapsedRefreshHours == 0
            ? nil
            : LapsedRefresher(
                refresh: refresh, apps: apps, interval: configuration.lapsedRefreshHours * 3_600_000, system: system,
                failures: failures)

        let exposures = ExposureMemory()
        let lookup = HistoryLookup(intake: intake, lapsed: lapsed)
        let issuer = OfferIssuer(
            keys: keys, nonces: nonces, clock: clock, ledger: ledger, histories: lookup, observer: observer,
            campaigns: campaigns, exposures: exposures, limits: CatalogueLimits())
        let binding = CustomerBinding(
            intake: intake, audit: audit, writeBack: TokenWriteBack(serverAPIs: appStore.serverAPIs))
        let api = API(
            nonces: nonces, clock: clock, issuer: issuer,
            examination: SignatureExamination(apps: apps, keys: keys, ledger: ledger, system: system),
            inquiry: EligibilityInquiry(histories: lookup, system: system),
            offers: OfferInquiry(
                histories: lookup, campaigns: campaigns, memory: exposures, clock: clock, observer: observer,
                limits: CatalogueLimits()),
            intake: intake, binding: binding,
            receipts: ReceiptIntake(
                intake: intake, verification: appStore.receipts, store: store.purchases.receipts),
            refresh: refresh,
            notifications: notifications,
            retention: RetentionDesk(
                issuer: issuer, reader: reader, system: system,
                observer: RetentionMonitor(metrics: metrics), failures: failures))

        let endUserMetrics = EndUserMetrics(factory: registry)
        let endUsers = try await EndUserAccess(
            configuration, secrets: store.signing.secrets, observer: endUserMetrics.countRefused, system: system,
            failures: failures, logger: logger)
        endUserMetrics.watch(endUsers.keys)
        registry.add(endUserMetrics)
        let checks = ReadinessCheck.all(
            apps: apps, keys: keys, clock: clock, ledger: ledger, signatures: store.signing.file,
            histories: store.purchases.file, audit: sealer)
        // One processor is left alone: however far a thread stands back, a signature waits for its turn.
        let reach = CampaignReach(
            scan: store.purchases.customers, threads: max(1, ProcessorCount.usable - 1), system: system)
        let results = CampaignResultsDesk(
            campaigns: store.signing.campaigns, exposures: store.signing.exposures, histories: histories, system: system)
        let replicas = store.signing.replicas ?? SoleReplica(system: system)
        let administration = try AdministrationParts(
            configuration, store.signing, replicas: ReplicaDesk(store: replicas), apps: apps, directory: directory, ring: keys,
            folder: folder, checks: checks,
            audit: audit, binding: binding,
            customers: CustomerDesk(
                store: store, audit: audit, retentionHours: configuration.retentionHours, system: system),
            histories: histories,
            reach: reach,
            results: results, answerTimes: registry.answerTimes(since: system.now()), system: system,
            failures: failures,
            proxyObserver: ProxySignInMetrics(factory: registry, logger: logger))
        let operations = OperationsController(
            checks: checks,
            metrics: { await registry.text() },
            reference: try ReferencePage.bundled(digest: Crypto.sha256),
            failures: failures,
            servesMetrics: configuration.metrics == nil
        )
        let group = MultiThreadedEventLoopGroup(
            numberOfThreads: configuration.http.eventLoops > 0 ? configuration.http.eventLoops : ProcessorCount.usable)
        let tls = try configuration.http.tls.map { try CertificateWatch($0, system: system, logger: logger) }
        let rounds = RoundTimes(rounds(configuration, apps: apps, serverAPIs: appStore.serverAPIs), system: system)
        let receiptPoller = receiptPoller(
            configuration, apps: apps,
            polling: ReceiptPolling(
                intake: intake, verification: appStore.receipts, keeper: keeper, store: store.purchases.receipts),
            system: system, rounds: rounds, failures: failures, logger: logger)
        addMetrics(
            to: registry, configuration, rounds: rounds, tls: tls,
            receipts: receiptPoller.map { ReceiptMetrics(apps: apps, poller: $0) },
            campaigns: CampaignMetrics(campaigns: campaigns),
            keys: KeyMetrics(
                apps: apps, keys: keys, fileTimes: { (try? folder.fileTimes()) ?? [:] }))
        let replicaWatch = ReplicaWatch(
            identity(replicaID, configuration, system: system), store: replicas, keys: keys, clock: clock, count: replicaCount,
            system: system, failures: failures, logger: logger)
        registry.add(ReplicaMetrics(watch: replicaWatch))
        let examination = BoundedExecutor(
            threads: ProcessorCount.usable, limit: 1024,
            refusal: IssueError.notReady("too much is examined at once", of: .load))
        let lanes = try await StoreLanes(group: group, ledger: ledger, histories: histories, examination: examination)
        let edge = HTTPEdge(
            apps: apps, directory: directory, endUsers: endUsers.door,
            rateLimit: RateLimit(requestsPerSecond: configuration.requestsPerSecond, burst: configuration.burst),
            replicas: replicaCount,
            certificateRoles: configuration.http.tls?.clients?.roles ?? [],
            proxies: TrustedProxies(configuration.http.proxies),
            bodyBytes: configuration.bodyMegabytes << 20, operations: operations,
            administration: administration.api, door: administration.door, console: administration.console, lanes: lanes,
            group: group,
            idleTimeout: .seconds(configuration.http.idleTimeoutSeconds), system: system, observer: observer, logger: logger)
        let address = ServiceConfiguration.Address(host: configuration.http.host, port: configuration.http.port)
        let connections = ConnectionMetrics(factory: registry, logger: logger)
        let server = edge.server(
            of: api, at: .hostname(address.host, port: address.port), tls: tls?.context,
            limit: ConnectionLimit(
                total: configuration.http.connections, perAddress: configuration.http.connectionsPerAddress),
            connections: connections)
        let janitor = LedgerJanitor(
            ledger: ledger, histories: store.purchases.histories,
            // A process that serves files alone has a lock on them.
            turn: lock == nil ? (store.purchases.leases, replicaID) : nil,
            retention: RetentionTimes(
                ledger: configuration.retentionHours * 3_600_000,
                notifications: configuration.notificationRetentionHours * 3_600_000),
            now: { try? clock.now() }, system: system, failures: failures)
        let background = backgroundServices(
            configuration, holder: replicaID, replicas: replicaCount, apps: apps, refresh: refresh, notifications: notifications,
            store: store,
            counter: counter,
            system: system, rounds: rounds, failures: failures, logger: logger)
        // Services stop from the last to the first: requests first.
        let watches: [any Service] = [
            StoreWatch(signatures: store.signing.file, histories: store.purchases.file, system: system, logger: logger),
            ClockWatch(clock: clock, store: store.signing.clock, system: system, logger: logger),
            KeyWatch(keys: keys, system: system, logger: logger),
        ]
        let changes = ChangeWatch(
            feed: store.signing.changes, followers: [directory, keys, campaigns], system: system, failures: failures)
        let uses = AccessUseRecorder(directory: directory, store: store.signing.access, system: system, failures: failures)
        let verifying: [any Service] =
            configuration.auditVerifyPercent == 0
            ? []
            : [
                AuditWatch(
                    store: store.signing.audit, sealer: sealer, percent: configuration.auditVerifyPercent, system: system,
                    failures: failures)
            ]
        let own: [any Service] =
            [failures, replicaWatch, sealer, changes, uses, administration.canary, results, reach]
            + (lock?.isHeld ?? true ? [janitor] + verifying : [])
        var services = own + [groups] + watches + background
        if let lapsed { services.append(lapsed) }
        if let receiptPoller { services.append(receiptPoller) }
        services += endUsers.keys
        if let tls { services.append(tls) }
        services.append(ListeningService(server: server, section: "http", address: address))
        if let address = configuration.metrics {
            let metrics = edge.metricsServer(
                at: .hostname(address.host, port: address.port), connections: connections)
            services.append(ListeningService(server: metrics, section: "metrics", address: address))
        }
        await replicaWatch.beat()
        let isSealed = try await store.signing.audit.latestSeal() != nil
        sealer.prepare(makesKey: lock != nil || !isSealed)
        do { try await ConfigurationRecord(log: audit).started(with: configuration.facts) } catch {
            failures.note("the configuration could not be recorded", .of(error))
        }
        return ServiceApplication(
            services: services, lock: lock, store: store, audit: audit, sink: sink, logLevel: logLevel,
            logger: logger, hardware: hardware)
    }

    /// Serves until it is told to stop, then finishes what was accepted and closes the store.
    ///
    /// - Parameter load: reads the configuration again.
    func run(
        _ signals: ProcessSignals,
        load: @escaping @Sendable () throws -> ServiceConfiguration
    ) async throws {
        let group = ServiceGroup(configuration: .init(services: services, logger: logger))
        let reload = ConfigurationReload(level: logLevel, logger: logger, audit: audit, hardware: hardware, load: load)
        signals.serve(
            ProcessSignals.Actions(
                logger: logger, stop: { Task { await group.triggerGracefulShutdown() } }, reload: reload.run,
                flush: sink.flush))
        defer { sink.flush() }
        try await group.run()
        try store.close()
        lock?.release()
        logger.info("stopped")
    }

    private static func nonceDesk(
        _ configuration: ServiceConfiguration,
        secrets: any SecretStore,
        system: SystemEnvironment
    ) async throws -> NonceDesk {
        let secret = try await secrets.secret(named: NonceDesk.secretName) { try Crypto.randomBytes(32) }
        let key = try AuthenticationKey(secret: secret)
        return NonceDesk(seal: NonceSeal(key: key, period: configuration.noncePeriodMinutes * 60_000), system: system)
    }
}

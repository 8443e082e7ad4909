import AppStore
import AsyncHTTPClient
import EligibilityRules
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import OfferSigning
import OfferStore
import OfferStoreSQLite
import ServiceLifecycle

/// The composition root: the only place where services are made and put together.
struct ServiceApplication {
    let services: [any Service]
    let lock: ServingLock
    let store: Store
    let sink: LogSink
    let logLevel: LogLevel
    let logger: Logger

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
        let log = RequestLog(sink: sink, level: logLevel)
        let observer = ServiceObserver(log: log, metrics: metrics, failures: failures)

        let store = try configuration.openStore(system: system, observer: metrics) { logger.notice("\($0)") }
        let lock = try configuration.lockStore(isNeeded: !sharesStore)
        let (ledger, histories) = (store.signing.ledger, store.purchases.histories)
        let directory = AccessDirectory(store: store.signing.access, failures: failures)
        try await directory.refresh()

        let apps = AppDirectory(configuration.apps.map(App.init))
        let lacksHistories = try await configuration.lacksHistories(histories, ledger)
        if lacksHistories { logger.warning("\(ServiceConfiguration.lackOfHistories)") }
        let folder = KeyFolder(source: configuration.keys, environment: configuration.environment)
        let keys = KeyRingHolder(try folder.ring(bundleIDs: apps.bundleIDs))
        for file in try folder.unlisted() { logger.warning("\(KeyFolder.unlistedWarning(file))") }
        let nonces = try await nonceDesk(configuration, secrets: store.signing.secrets, system: system)
        let clock = SigningClock(
            system: system, record: try await store.signing.clock.clockRecord(), mostAhead: configuration.mostClockAhead)

        let reader = try SignedDataReader(configuration, system: system)
        let monitor = HistoryMonitor(metrics: metrics, logger: logger)
        let intake = HistoryIntake(store: histories, reader: reader, system: system, observer: monitor)
        let notifications = NotificationIntake(store: histories, reader: reader, system: system, observer: monitor)
        let groups = GroupWatch(
            apps: apps, histories: histories, observer: monitor, interval: .seconds(30), failures: failures)
        await groups.lookOnce()
        let appStore = AppStoreAccess(
            configuration, apps: apps, keys: keys, transport: AppStoreTransport(client: AppStoreAccess.connections),
            system: system)
        let refresh = HistoryRefresh(intake: intake, serverAPIs: appStore.serverAPIs)
        let lapsed =
            configuration.lapsedRefreshHours == 0
            ? nil
            : LapsedRefresher(
                refresh: refresh, apps: apps, interval: configuration.lapsedRefreshHours * 3_600_000, system: system,
                failures: failures)

        let issuer = OfferIssuer(
            apps: apps, keys: keys, nonces: nonces, clock: clock, ledger: ledger, intake: intake, observer: observer,
            lapsed: lapsed)
        let signing = SigningExchange(issuer: issuer, idempotency: IdempotencyDesk(ledger: ledger, system: system))
        let limit = RateLimit(requestsPerSecond: configuration.requestsPerSecond, burst: configuration.burst)
        let gate = Gate(directory: directory, rateLimit: limit, system: system)
        let budget = BodyBudget(most: configuration.bodyMegabytes << 20)
        let endpoints = EndpointService(
            endpoints: [
                LivenessController(),
                NonceController(apps: apps, nonces: nonces, clock: clock),
                SignatureController(signing: signing),
                IntroductoryOfferController(signing: signing),
                VerifyController(
                    apps: apps, keys: keys, examination: SignatureExamination(ledger: ledger), system: system),
                EligibilityController(apps: apps, intake: intake, system: system, lapsed: lapsed),
                TransactionsController(apps: apps, intake: intake),
                ReceiptsController(
                    apps: apps, receipts: ReceiptIntake(intake: intake, verification: appStore.receipts)),
                RefreshController(apps: apps, refresh: refresh),
                BindingController(apps: apps, store: histories, system: system),
                NotificationController(apps: apps, intake: notifications),
            ],
            gate: gate, budget: budget, observer: observer)

        let operations = OperationsController(
            checks: ReadinessCheck.all(apps: apps, keys: keys, clock: clock, ledger: ledger, histories: store.purchases.file),
            metrics: { await registry.text() },
            reference: try ReferencePage(document: PackageResources.openapi_json, style: PackageResources.reference_css),
            failures: failures,
            servesMetrics: configuration.metrics == nil
        )
        let group = MultiThreadedEventLoopGroup(
            numberOfThreads: configuration.http.eventLoops > 0 ? configuration.http.eventLoops : ProcessorCount.usable)
        let tls = try configuration.http.tls.map(TLSConfiguration.server)
        let rounds = RoundTimes(rounds(configuration, serverAPIs: appStore.serverAPIs))
        addMetrics(
            to: registry, configuration, rounds: rounds, tls: tls,
            keys: KeyMetrics(
                apps: apps, keys: keys, loadedAt: system.now(), fileTimes: try folder.fileTimes()))
        let examination = BoundedExecutor(
            threads: ProcessorCount.usable, most: 1024,
            refusal: IssueError.notReady("too much is examined at once", of: .load))
        let lanes = try await StoreLanes(group: group, ledger: ledger, histories: histories, examination: examination)
        let connections = ConnectionMetrics(factory: registry, logger: logger)
        let server = ListeningService(
            server: http(configuration, tls, endpoints, operations, observer, connections, lanes, group, logger),
            section: "http",
            address: ServiceConfiguration.Address(host: configuration.http.host, port: configuration.http.port))
        let janitor = LedgerJanitor(
            ledger: ledger, retention: configuration.retentionHours * 3_600_000, now: { try? clock.now() },
            uptime: system.uptime, logger: logger)
        let background = backgroundServices(
            configuration, apps: apps, refresh: refresh, notifications: notifications, store: store,
            system: system, rounds: rounds, failures: failures, logger: logger)
        // Services stop from the last to the first: requests first.
        let watches: [any Service] = [
            StoreWatch(signatures: store.signing.file, histories: store.purchases.file, logger: logger),
            ClockWatch(clock: clock, store: store.signing.clock, logger: logger),
        ]
        // Time that two processes serve at once counts once.
        let own: [any Service] = lock.isHeld ? [failures, directory, janitor] : [failures, directory]
        var services = own + [groups] + watches + background
        if let lapsed { services.append(lapsed) }
        services.append(server)
        if let address = configuration.metrics {
            let none = EndpointService(endpoints: [], gate: gate, budget: budget, observer: observer)
            let metrics = metricsServer(configuration, address, none, operations, observer, lanes, group, logger)
            services.append(ListeningService(server: metrics, section: "metrics", address: address))
        }
        return ServiceApplication(
            services: services, lock: lock, store: store, sink: sink, logLevel: logLevel,
            logger: logger)
    }

    /// Serves until it is told to stop, then finishes what was accepted and closes the store.
    ///
    /// - Parameter load: reads the configuration again.
    func run(
        _ signals: ProcessSignals,
        load: @escaping @Sendable () throws -> ServiceConfiguration
    ) async throws {
        let group = ServiceGroup(configuration: .init(services: services, logger: logger))
        let reload = ConfigurationReload(level: logLevel, logger: logger, load: load)
        signals.serve(
            ProcessSignals.Actions(
                logger: logger, stop: { Task { await group.triggerGracefulShutdown() } }, reload: reload.run,
                flush: sink.flush))
        defer { sink.flush() }
        try await group.run()
        try await AppStoreAccess.connections.shutdown()
        try store.close()
        lock.release()
        logger.info("stopped")
    }

    private static func nonceDesk(
        _ configuration: ServiceConfiguration,
        secrets: any SecretStore,
        system: SystemEnvironment
    ) async throws -> NonceDesk {
        let secret = try await secrets.secret(named: "nonce-seal") { try Crypto.randomBytes(32) }
        let key = try AuthenticationKey(secret: secret)
        return NonceDesk(seal: NonceSeal(key: key, period: configuration.noncePeriodMinutes * 60_000), system: system)
    }

    private static func backgroundServices(
        _ configuration: ServiceConfiguration,
        apps: AppDirectory,
        refresh: HistoryRefresh,
        notifications: NotificationIntake,
        store: Store,
        system: SystemEnvironment,
        rounds: RoundTimes,
        failures: FailureLog,
        logger: Logger
    ) -> [any Service] {
        let holder = RequestID.make()
        var services: [any Service] = [
            RedemptionMatcher(
                redemptions: store.redemptions, interval: .seconds(10), system: system, failures: failures)
        ]
        if configuration.pollSeconds > 0 {
            services.append(
                RenewalPoller(
                    apps: apps, refresh: refresh, histories: store.purchases.histories, leases: store.purchases.leases,
                    interval: .seconds(configuration.pollSeconds), system: system, holder: holder,
                    rounds: rounds, failures: failures, logger: logger))
        }
        if configuration.catchUpSeconds > 0 {
            services.append(
                NotificationCatchUp(
                    apps: apps, intake: notifications, serverAPIs: refresh.serverAPIs, leases: store.purchases.leases,
                    progress: store.purchases.progress, interval: .seconds(configuration.catchUpSeconds), system: system,
                    holder: holder, rounds: rounds, failures: failures, logger: logger))
        }
        return services
    }

    private static func http(
        _ configuration: ServiceConfiguration,
        _ tls: TLSConfiguration?,
        _ endpoints: EndpointService,
        _ operations: OperationsController,
        _ observer: ServiceObserver,
        _ connections: ConnectionMetrics,
        _ lanes: StoreLanes,
        _ group: any EventLoopGroup,
        _ logger: Logger
    ) -> some Service {
        let router = Router(options: .autoGenerateHeadEndpoints)
        router.middlewares.add(OperationsMiddleware(observer: observer, paths: operations.paths))
        operations.addRoutes(to: router)
        let idleTimeout = TimeAmount.seconds(configuration.http.idleTimeoutSeconds)
        let limit = ConnectionLimit(
            most: configuration.http.connections, mostPerAddress: configuration.http.connectionsPerAddress)
        let server = HTTPServerBuilder { responder in
            let channel = ServiceChannel(
                responder: responder, service: endpoints, lanes: lanes, idleTimeout: idleTimeout)
            guard let tls else { return GuardedChannel(base: channel, limit: limit, observer: connections) }
            let secure = try TLSChannel(channel, tlsConfiguration: tls)
            return GuardedChannel(base: secure, limit: limit, observer: connections)
        }
        return Application(
            router: router,
            server: server,
            configuration: .init(
                address: .hostname(configuration.http.host, port: configuration.http.port), backlog: 1024),
            onServerRunning: { channel in
                // Fails when the service is stopped in the same moment.
                try? await channel.eventLoop.submit {
                    try channel.pipeline.syncOperations.addHandler(AcceptPause(observer: connections), position: .first)
                }.get()
            },
            eventLoopGroupProvider: .shared(group),
            logger: logger
        )
    }

    private static func metricsServer(
        _ configuration: ServiceConfiguration,
        _ address: ServiceConfiguration.Address,
        _ endpoints: EndpointService,
        _ operations: OperationsController,
        _ observer: ServiceObserver,
        _ lanes: StoreLanes,
        _ group: any EventLoopGroup,
        _ logger: Logger
    ) -> some Service {
        let router = Router(options: .autoGenerateHeadEndpoints)
        router.middlewares.add(OperationsMiddleware(observer: observer, paths: [OperationsController.metricsPath]))
        operations.addMetrics(to: router)
        return Application(
            router: router,
            server: HTTPServerBuilder { responder in
                ServiceChannel(
                    responder: responder, service: endpoints, lanes: lanes,
                    idleTimeout: .seconds(configuration.http.idleTimeoutSeconds))
            },
            configuration: .init(address: .hostname(address.host, port: address.port)),
            eventLoopGroupProvider: .shared(group),
            logger: logger
        )
    }
}

import Logging
import OfferHTTP
import OfferService
import OfferSigning
import OfferStore
import ServiceLifecycle

/// The composition root: the only place where services are made and put together, part by part.
struct ServiceApplication {
    private let environment: ServiceEnvironment
    private let services: [any Service]
    private let stores: StoreParts
    private let apps: AppDirectory
    private let groups: GroupWatch
    private let hardware: HardwareKeys

    /// Opens the store, loads the keys and puts all parts together. The servers do not listen yet.
    ///
    /// - Parameter allowsSecondProcess: whether another process of this machine may serve the same files.
    init(
        _ configuration: ServiceConfiguration,
        allowsSecondProcess: Bool = false,
        system: SystemEnvironment = .live,
        sink: LogSink = .standardOutput
    ) async throws {
        environment = ServiceEnvironment(configuration, system: system, sink: sink)
        stores = try StoreParts(environment, allowsSecondProcess: allowsSecondProcess)
        let keys = try await KeyParts(environment, stores)
        (apps, hardware) = (keys.apps, keys.hardware)
        let histories = try await HistoryParts(environment, stores, keys)
        groups = histories.groups
        let cases = try await UseCases(environment, stores, keys, histories)
        let checks = ReadinessCheck.all(
            apps: keys.apps, keys: keys.ring, access: keys.directory, clock: keys.clock, ledger: stores.store.signing.ledger,
            signatures: stores.store.signing.file, histories: stores.store.purchases.file, audit: stores.sealer)
        let events = EventParts(environment, stores, keys)
        let administration = try AdministrationParts(environment, stores, keys, histories, cases, events, checks: checks)
        let polling = PollingParts(environment, stores, keys, histories)
        let upkeep = UpkeepParts(environment, stores, keys, cases)
        let edge = try await EdgeParts(environment, stores, keys, cases, administration, changes: upkeep.changes, checks: checks)
        environment.addMetrics(keys, cases, polling, upkeep, edge, events)
        // Services stop from the last to the first, so that the servers stop first.
        var services: [any Service] = [environment.failures, stores.sealer, administration.canary, cases.results, cases.reach]
        services += [histories.groups] + upkeep.services + polling.services + events.services
        if let lapsed = histories.lapsed { services.append(lapsed) }
        self.services = services + cases.endUsers.keys + edge.services
        await upkeep.replica.beat()
        try await stores.prepare(environment)
        await events.begin()
    }

    /// Serves until it is stopped, then finishes what was accepted and closes the store.
    ///
    /// - Parameter load: reads the configuration again.
    func run(
        _ signals: ProcessSignals,
        load: @escaping @Sendable () throws -> ServiceConfiguration
    ) async throws {
        let (sink, logger) = (environment.sink, environment.logger)
        let reload = ConfigurationReload(
            environment, apps: apps, groups: groups, audit: stores.audit, hardware: hardware, load: load)
        let group = ServiceGroup(configuration: .init(services: services + [reload], logger: logger))
        signals.serve(
            ProcessSignals.Actions(
                logger: logger, stop: { Task { await group.triggerGracefulShutdown() } }, reload: reload.request,
                flush: sink.flush))
        defer { sink.flush() }
        try await group.run()
        try stores.close()
        logger.info("stopped")
    }
}

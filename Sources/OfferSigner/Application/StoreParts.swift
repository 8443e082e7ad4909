import Logging
import OfferService
import OfferStore
import OfferStoreSQLite

/// The open store, the lock on it, and its audit log.
struct StoreParts {
    let store: Store
    /// Nil for a database, which processes share.
    private let lock: ServingLock?
    let audit: AuditLog
    let sealer: AuditSealer
    let replicas: any ReplicaStore
    /// Whether a database still keeps what is written; nil for files.
    let standing: StoreStanding?

    /// Whether it is a database, which processes share: they do background work under leases.
    var isShared: Bool { lock == nil }

    /// Whether this process does what one of those that serve the same files has to do.
    var hasChores: Bool { lock?.isHeld ?? true }

    /// Opens the store.
    ///
    /// - Parameter allowsSecondProcess: whether another process of this machine may serve the same files.
    init(_ environment: ServiceEnvironment, allowsSecondProcess: Bool) throws {
        let (configuration, system, logger) = (environment.configuration, environment.system, environment.logger)
        let isNew = try configuration.isStoreNew
        let file = configuration.unknownPositionFile
        store = try configuration.openStore(system: system, observer: environment.metrics) { logger.notice("\($0)") }
        if isNew { logger.notice("the store is new", metadata: ["store": "\(configuration.storeName)"]) }
        if !isNew, let file {
            logger.warning(
                "store.positionFile had no position: whether the database was set back before this start is not known here",
                metadata: ["file": "\(file)"])
        }
        lock = try configuration.lockStore(isNeeded: !allowsSecondProcess)
        let keys = AuditKeyFolder(directory: configuration.keys.directory)
        audit = AuditLog(store: store.signing.audit, keys: keys, system: system)
        sealer = AuditSealer(
            store: store.signing.audit, keys: keys, interval: .seconds(configuration.auditSealSeconds), system: system,
            logger: logger, failures: environment.failures, onSeal: environment.log.write(seal:))
        replicas = store.signing.processes.replicas ?? SoleReplica(system: system)
        standing = lock == nil ? StoreStanding(system: system) : nil
    }

    /// Begins to seal, and records with what configuration the service runs.
    func prepare(_ environment: ServiceEnvironment) async throws {
        let isSealed = try await store.signing.audit.latestSeal() != nil
        sealer.prepare(makesKey: !isShared || !isSealed)
        do { try await ConfigurationRecord(log: audit).loaded(environment.configuration.settings.facts) } catch {
            environment.failures.note("the configuration could not be recorded", .of(error))
        }
    }

    /// Closes the store, and lets another process serve it.
    func close() throws {
        try store.close()
        lock?.release()
    }
}

import Logging
import OfferService
import OfferStore
import OfferStoreSQLite

/// The open store, the lock on it, and its audit log.
struct StoreParts {
    let store: Store
    /// The lock on the files; nil for a database, which processes share.
    private let lock: ServingLock?
    let audit: AuditLog
    let sealer: AuditSealer
    let replicas: any ReplicaStore
    /// Knows whether the database has lately kept a commit of this process; nil for files.
    let standing: StoreStanding?

    /// Whether the store is a database. Processes share it, and take turns with background work by leases.
    var isShared: Bool { lock == nil }

    /// Whether this process does the work that only one of the processes that serve the same files must do.
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

    /// Begins to seal the audit log, and records in it with what configuration the service runs.
    func prepare(_ environment: ServiceEnvironment) async throws {
        let isSealed = try await store.signing.audit.latestSeal() != nil
        sealer.prepare(makesKey: !isShared || !isSealed)
        do { try await ConfigurationRecord(log: audit).loaded(environment.configuration.settings.facts) } catch {
            environment.failures.note("the configuration could not be recorded", .of(error))
        }
    }

    /// Closes the store, so that another process can serve it.
    func close() throws {
        try store.close()
        lock?.release()
    }
}

import AppStore
import AppStoreClient
import EligibilityRules
import OfferService
import OfferSigning
import OfferStore

/// The parts that a signature is made with: the apps, the keys in force, nonces and the clock.
struct KeyParts {
    let apps: AppDirectory
    let directory: AccessDirectory
    let hardware = HardwareKeys(for: .sign)
    let folder: KeyFolder
    let ring: CurrentKeyRing
    let nonces: NonceDesk
    let clock: SigningClock
    /// The clients of the App Store, whose requests are signed with these keys.
    let appStore: AppStoreAccess

    /// Loads access keys and signing keys.
    init(_ environment: ServiceEnvironment, _ stores: StoreParts) async throws {
        let (configuration, system, store) = (environment.configuration, environment.system, stores.store.signing)
        directory = AccessDirectory(store: store.credentials.access, feed: store.processes.changes)
        try await directory.refresh()
        let xcode = try XcodeKeys(configuration)
        apps = AppDirectory(
            configuration.apps.map { App($0, xcodeKey: xcode.key(of: $0.bundleID)) }, statement: configuration.catalogue)
        folder = KeyFolder(configuration, hardware: hardware, xcode: xcode)
        ring = try await KeyParts.ring(folder, apps, store, system: system, log: KeyLog(logger: environment.logger))
        let secret = try await store.credentials.secrets.secret(named: NonceDesk.secretName) { try Crypto.randomBytes(32) }
        let seal = NonceSeal(key: try AuthenticationKey(secret: secret), period: configuration.noncePeriodMinutes * 60_000)
        nonces = NonceDesk(seal: seal, system: system)
        clock = SigningClock(
            system: system, record: try await store.processes.clock.clockRecord(), maxAhead: configuration.maxClockAhead)
        appStore = AppStoreAccess(
            configuration, apps: apps, keys: ring, purchases: stores.store.purchases,
            transport: HTTPClientTransport(), replicas: environment.replicas, system: system)
    }

    /// Returns the keys in force. They follow later decisions, and files that are put into the key folder later.
    private static func ring(
        _ folder: KeyFolder,
        _ apps: AppDirectory,
        _ store: SigningStore,
        system: SystemEnvironment,
        log: KeyLog
    ) async throws -> CurrentKeyRing {
        let bundleIDs = apps.bundleIDs
        // Revision and version are read first, so that a change that comes after them is noticed.
        let revision = try await store.processes.changes.revisions()[.keys] ?? 0
        let version = folder.version()
        let decisions = try await store.credentials.keys.keyDecisions()
        // Loading a key from a hardware module may block the thread.
        let loader = BoundedExecutor(threads: 1, limit: 1, refusal: IssueError.notReady("keys are being loaded", of: .load))
        let load = { @Sendable (decisions: KeyDecisions) async throws -> LoadedKeys in
            try await withTaskExecutorPreference(loader) { try folder.keys(bundleIDs: bundleIDs, decisions: decisions) }
        }
        var keys = try await load(decisions)
        let desk = KeyDesk(store: store.credentials.keys, system: system)
        // If another replica has just recorded keys, these may be others than the ones loaded above.
        if try await desk.settle(keys.ring, decisions, hasManifest: folder.hasManifest) {
            keys = try await load(store.credentials.keys.keyDecisions())
        }
        for fault in keys.faults { log.report(fault) }
        for lock in keys.locks { log.report(lock) }
        return CurrentKeyRing(
            keys, revision: revision, version: version, store: store.credentials.keys,
            changes: store.processes.changes,
            system: system,
            folder: CurrentKeyRing.Folder(version: folder.version, load: load),
            observer: log)
    }
}

/// The clients of the App Store, as configured.
struct AppStoreAccess: Sendable {
    /// The Server API clients by bundle id. An app without issuer id has none.
    let serverAPIs: [String: ServerAPI]
    let receipts: ReceiptVerification

    /// - Parameters:
    ///   - keys: the active key of an app also signs its Server API tokens.
    ///   - purchases: the store that keeps which apps were released.
    init(
        _ configuration: ServiceConfiguration,
        apps: AppDirectory,
        keys: CurrentKeyRing,
        purchases: PurchaseStore,
        transport: any AppStoreTransport,
        replicas: ReplicaCount = ReplicaCount(),
        system: SystemEnvironment
    ) {
        let calls = CallEnvironment(
            now: system.now, sleep: { try await system.sleep(.milliseconds($0)) }, random: { .random(in: 0..<1) },
            sharers: { replicas.value })
        var serverAPIs: [String: ServerAPI] = [:]
        for app in apps.all {
            guard let issuerID = app.credentials.issuerID else { continue }
            serverAPIs[app.bundleID] = ServerAPI(
                endpoints: configuration.appStore.serverAPI, transport: transport, system: calls,
                signer: { keys.activeKeyID(for: app.bundleID) ?? "" },
                release: StoredReleaseRecord(purchases, of: app)
            ) {
                guard let key = keys.current.active(for: app.bundleID) else {
                    throw keys.noActiveKey(for: app.bundleID)
                }
                return try await key.signed(
                    ServerAPIToken(
                        issuerID: issuerID, bundleID: app.bundleID, issuedAt: system.now().milliseconds / 1000, lifetime: 300))
            }
        }
        self.serverAPIs = serverAPIs
        receipts = ReceiptVerification(
            endpoints: configuration.appStore.verifyReceipt, transport: transport, system: calls)
    }
}

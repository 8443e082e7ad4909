import AppStore
import AppStoreClient
import EligibilityRules
import OfferService
import OfferSigning
import OfferStore

/// Gives a command an open store, and the use cases on it that the API and the console call, too.
///
/// A command calls them as `Caller.commandLine`. If a use case refuses the call, the program ends with its message.
struct CommandDoor {
    let configuration: ServiceConfiguration
    let apps: AppDirectory
    let store: SigningStore

    /// - Parameter acceptance: which stores are opened besides the one that was used here last.
    init(_ options: ConfigurationOptions, accepting acceptance: StoreAcceptance = .current) throws {
        configuration = try options.load()
        apps = AppDirectory(configuration.apps.map { App($0) })
        store = try configuration.openSigningStore(accepting: acceptance, onWait: StandardError.note)
    }

    var access: AccessDesk { store.accessDesk(apps, system: .live) }
    var campaigns: CampaignAdministration { store.campaignAdministration(apps, system: .live) }
    var events: EventDesk { store.eventDesk(configuration, configuration.auditLog(of: store), system: .live) }

    /// Returns the use cases of signing keys. Names on standard error the keys in the key folder that the service does not use.
    ///
    /// - Parameter evenIfUnreadable: whether to continue if the folder cannot be read, which is then only written to standard
    ///   error. A revocation does not need the folder.
    func keys(evenIfUnreadable: Bool = false) async throws -> KeyAdministration {
        // Faults of the keys for Xcode must not prevent a revocation.
        let folder = KeyFolder(
            configuration, hardware: HardwareKeys(for: .look), xcode: (try? XcodeKeys(configuration)) ?? .none)
        let bundleIDs = apps.bundleIDs
        let ring = try await ring { decisions in
            let (entries, faults): ([KeyRing.Entry], [KeyFault])
            do {
                (entries, faults) = try folder.contents(bundleIDs: bundleIDs, decisions: decisions)
            } catch  where evenIfUnreadable {
                return try .unusable("\(error)", inFolder: nil, bundleIDs: bundleIDs, decisions)
            }
            do {
                return try LoadedKeys(entries: entries, bundleIDs: bundleIDs, decisions: decisions, faults: faults)
            } catch let error as SigningError {
                // The keys contradict each other, such as two that sign for one app. The command's decision may resolve this.
                return try .unusable("\(error)", inFolder: entries, bundleIDs: bundleIDs, decisions)
            }
        }
        for fault in ring.faults { StandardError.note("not used: \(fault.reason)") }
        for lock in ring.locks { StandardError.note(lock.reason) }
        return store.keyAdministration(ring, folder, apps, system: .live)
    }

    /// Returns the keys as the service has them. Throws if the service would not start with them.
    func signingKeys(for purpose: HardwareKeys.Purpose) async throws -> CurrentKeyRing {
        let folder = KeyFolder(configuration, hardware: HardwareKeys(for: purpose), xcode: try XcodeKeys(configuration))
        let bundleIDs = apps.bundleIDs
        return try await ring { try folder.keys(bundleIDs: bundleIDs, decisions: $0) }
    }

    /// Returns the client of the App Store Server API for an app. Throws if the app has no issuer id.
    ///
    /// - Parameter sharers: how many processes share the rate of requests that Apple allows.
    func serverAPI(of bundleID: String, _ purchases: PurchaseStore, sharers: Int64 = 1) async throws -> ServerAPI {
        let keys = try await signingKeys(for: .sign)
        let appStore = AppStoreAccess(
            configuration, apps: apps, keys: keys, purchases: purchases, transport: HTTPClientTransport(),
            replicas: ReplicaCount(sharers), system: .live)
        guard let api = appStore.serverAPIs[bundleID] else {
            throw CommandRefusal("the App Store Server API needs the issuer id: set issuerId of the app \(bundleID)")
        }
        return api
    }

    private func ring(_ load: @escaping @Sendable (KeyDecisions) async throws -> LoadedKeys) async throws -> CurrentKeyRing {
        CurrentKeyRing(
            try await load(store.credentials.keys.keyDecisions()), store: store.credentials.keys,
            changes: store.processes.changes, system: .live, folder: CurrentKeyRing.Folder(load: load))
    }

    /// The sessions of the console.
    var sessions: ConsoleSessions {
        let directory = AccessDirectory(store: store.credentials.access, feed: store.processes.changes)
        return ConsoleSessions(store: store.credentials.sessions, directory: directory, system: .live)
    }

    /// Closes the store, for a command that has recorded nothing in it.
    func closeUnchanged() throws { try store.file.close() }

    /// Seals what was recorded, and closes the store.
    func close() async throws { try await store.closeSealed(configuration) }
}

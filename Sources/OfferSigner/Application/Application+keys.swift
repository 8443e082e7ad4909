import EligibilityRules
import OfferService
import OfferStore

extension ServiceApplication {
    /// The keys in force, which follow what is decided and what is put into the folder.
    static func keyRing(
        _ folder: KeyFolder,
        _ apps: AppDirectory,
        _ store: SigningStore,
        system: SystemEnvironment,
        log: KeyLog
    ) async throws -> KeyRingHolder {
        let bundleIDs = apps.bundleIDs
        // Revision and version first: what comes after them is followed.
        let revision = try await store.changes.revisions()[.keys] ?? 0
        let version = folder.version()
        let decisions = try await store.keys.keyDecisions()
        // A hardware module may keep whoever loads a key from it waiting.
        let loader = BoundedExecutor(threads: 1, limit: 1, refusal: IssueError.notReady("keys are being loaded", of: .load))
        let load = { @Sendable (decisions: [KeyDecision]) async throws -> LoadedKeys in
            try await withTaskExecutorPreference(loader) { try folder.keys(bundleIDs: bundleIDs, decisions: decisions) }
        }
        let keys = try await load(decisions)
        for fault in keys.faults { log.tell(fault) }
        if !folder.hasManifest { try await KeyDesk(store: store.keys, system: system).settle(keys.ring, decisions) }
        return KeyRingHolder(
            keys, revision: revision, version: version, store: store.keys, changes: store.changes, system: system,
            folder: KeyRingHolder.Folder(version: folder.version, load: load),
            observer: log)
    }
}

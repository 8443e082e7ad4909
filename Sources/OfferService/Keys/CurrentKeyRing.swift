package import EligibilityRules
package import OfferSigning
package import OfferStore
import Synchronization

/// The key ring in force. Each change of keys replaces the whole snapshot.
package final class CurrentKeyRing: ChangeFollower {
    /// How the key folder is read, and how a change in it is noticed.
    package struct Folder: Sendable {
        let version: @Sendable () -> [String: FileVersion]
        let load: @Sendable (KeyDecisions) async throws -> LoadedKeys

        /// - Parameters:
        ///   - version: the versions of the files in the folder, which change whenever a file changes.
        ///   - load: reads the folder. The apps are the same each time.
        package init(
            version: @escaping @Sendable () -> [String: FileVersion] = { [:] },
            load: @escaping @Sendable (KeyDecisions) async throws -> LoadedKeys
        ) {
            self.version = version
            self.load = load
        }
    }

    private struct State {
        var keys: LoadedKeys
        var loadedAt: Instant
        var revision: Int64
        var version: [String: FileVersion]
        /// The decisions with which the ring was made.
        var decisions: KeyDecisions
        /// The longest list of decisions that was read and agreed with the audit log.
        ///
        /// If one of them is missing in a later read, that is a fault.
        var known: KeyDecisions
    }

    private let state: Mutex<State>
    private let store: any KeyStore
    private let changes: any ChangeFeed
    private let look = SharedLook()
    private let system: SystemEnvironment
    private let folder: Folder
    private let observer: (any KeyRingObserver)?

    package let topic = ChangeTopic.keys
    package let complaint = "signing keys cannot be read again"

    /// - Parameters:
    ///   - revision: the revision of the topic `keys` when the keys were read, or an earlier one.
    ///   - version: the version of the folder when it was read, or an earlier one.
    ///   - observer: receives the changes.
    package init(
        _ keys: LoadedKeys,
        revision: Int64 = 0,
        version: [String: FileVersion] = [:],
        store: any KeyStore,
        changes: any ChangeFeed,
        system: SystemEnvironment,
        folder: Folder,
        observer: (any KeyRingObserver)? = nil
    ) {
        state = Mutex(
            State(
                keys: keys, loadedAt: system.now(), revision: revision, version: version, decisions: keys.decisions,
                known: keys.decisions))
        self.store = store
        self.changes = changes
        self.system = system
        self.folder = folder
        self.observer = observer
    }

    package var current: KeyRing { state.withLock(\.keys.ring) }

    /// The entries of the key folder; nil if the folder cannot be read.
    ///
    /// A key can be revoked even if it is nil.
    var inFolder: [KeyRing.Entry]? { state.withLock(\.keys.inFolder) }

    /// The id of the key that signs for an app.
    package func activeKeyID(for bundleID: String) -> String? { current.active(for: bundleID)?.id }

    /// What is wrong with files in the key folder that cannot be used as keys.
    package var faults: [KeyFault] { state.withLock(\.keys.faults) }

    /// The apps for which no key may sign, and why.
    package var locks: [KeyLock] { state.withLock(\.keys.locks) }

    /// When the keys in force were loaded.
    package var loadedAt: Instant { state.withLock(\.loadedAt) }

    /// Reads the keys again, so that all decisions that were made before this call are in force.
    package func refresh() async throws {
        try await look.share { [self] in try await follow(changes.revisions()[topic] ?? 0) }
    }

    /// Compares the decisions with the audit log again, even if neither the feed nor the folder reports a change.
    package func compareDecisions() async throws {
        try await look.share { [self] in
            let revision = try await changes.revisions()[topic] ?? 0
            let before = state.withLock { $0 }
            guard try await store.keyDecisions().continuing(before.known) != before.decisions else { return }
            try await load(revision, folder.version())
        }
    }

    /// Replaces the ring if a decision was made or a file has changed.
    ///
    /// If the folder cannot be read, only revocations take effect. The next call tries the other decisions again. A changed file
    /// is tried again only when a file changes the next time.
    package func follow(_ revision: Int64) async throws {
        let before = state.withLock { $0 }
        let version = folder.version()
        guard revision != before.revision || version != before.version else { return }
        try await load(revision, version)
    }

    private func load(_ revision: Int64, _ version: [String: FileVersion]) async throws {
        let before = state.withLock { $0 }
        var after = before
        after.version = version
        after.decisions = try await store.keyDecisions().continuing(before.known)
        // Decisions that disagree with the audit log do not become known, because an operator may have to remove rows that do not
        // belong.
        if after.decisions.fault == nil, after.decisions.all.starts(with: before.known.all) { after.known = after.decisions }
        let revoked = try before.keys.revoking(by: after.decisions)
        do {
            after.keys = try await folder.load(after.decisions).keepingKeys(of: revoked.ring)
            (after.loadedAt, after.revision) = (system.now(), revision)
            put(after, in: before)
        } catch {
            after.keys = revoked.with([KeyFault(file: "", reason: "\(error)")])
            put(after, in: before)
            if revision != before.revision { throw error }
        }
    }

    private func put(_ after: State, in before: State) {
        // If a later look was faster than this one, the result of this one is dropped.
        let isLatest = state.withLock { state in
            guard after.revision >= state.revision else { return false }
            state = after
            return true
        }
        guard isLatest else { return }
        observer?.didLoad(after.keys, before: before.keys)
    }
}

/// Receives changes of the keys in force.
package protocol KeyRingObserver: Sendable {
    /// The folder was read again, or a decision was made.
    func didLoad(_ keys: LoadedKeys, before: LoadedKeys)
}

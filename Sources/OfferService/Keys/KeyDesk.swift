package import EligibilityRules
package import OfferSigning
package import OfferStore
import WireText

/// The use cases of a signing key's life: which key signs, which one no longer signs, and when an old key is safe to revoke.
package struct KeyDesk: Sendable {
    /// A request to change a key.
    package enum KeyChangeRequest: Sendable, Equatable {
        case activate(String)
        /// Lets the previous key sign again.
        ///
        /// The value is the id of the key that is to stop signing; nil for the key that signs at the moment.
        case rollBack(String?)
        case revoke(String, evenIfActive: Bool)

        /// The key that the request names; nil if it names none.
        package var keyID: String? {
            switch self {
            case .activate(let id), .revoke(let id, _): id
            case .rollBack(let id): id
            }
        }

        fileprivate var action: AuditAction {
            switch self {
            case .activate: .activateKey
            case .rollBack: .rollBackKey
            case .revoke: .revokeKey
            }
        }

        /// Whether an error says that an app is already in the state that the request asks for.
        fileprivate func isMet(by error: KeyError) -> Bool {
            switch (self, error) {
            case (_, .active), (.revoke, .ended): true
            default: false
            }
        }
    }

    /// A key's state and use in one app.
    package struct KeyStatus: Equatable, Sendable {
        package let keyID: String
        package let bundleID: String
        package let fingerprint: String
        package let state: KeyState
        /// When the key last signed for the app; nil if that is a day ago or more.
        package let lastSignedAt: Instant?
        /// The number of signatures in the last 24 hours.
        package let signatures: Int
        /// When the key can be revoked in App Store Connect without invalidating a signature for any app; nil if the key signs or
        /// is staged.
        package let safeToRevokeAt: Instant?
        /// The last decision about the key in the app; nil if there is none yet.
        package let decision: KeyDecision?

        /// The name of the state, such as `active`.
        package var stateName: String { state.rawValue }
        /// When the last decision about the key in the app was made.
        package var decidedAt: Instant? { decision?.decidedAt }
        /// Who made that decision: an access key's id, `command-line`, or `first-start`.
        package var decidedBy: String? { decision?.decidedBy }
        /// The reason that was given for that decision.
        package var reason: String? { decision?.reason }
    }

    private static let maxAttempts = 3

    let store: any KeyStore
    private let replicas: KeyReplicas?
    let system: SystemEnvironment

    /// - Parameter replicas: the replicas, all of which must have a key before it signs; nil if the store is in files.
    package init(store: any KeyStore, replicas: (any ReplicaStore)? = nil, system: SystemEnvironment) {
        self.store = store
        self.replicas = replicas.map { KeyReplicas(store: $0, system: system) }
        self.system = system
    }

    /// Every key, once for each app that it serves.
    package func list(_ entries: [KeyRing.Entry], bundleIDs: [String]) async throws(StoreError) -> [KeyStatus] {
        let now = system.now()
        let decisions = try await store.keyDecisions().all
        let uses = try await store.keyUse(since: now.advanced(by: -SignatureValidity.duration))
        let statesByApp = bundleIDs.map { ($0, KeyStates(of: $0, in: entries, decisions: decisions)) }
        return statesByApp.flatMap { bundleID, keyStates in
            entries.filter { $0.serves(bundleID) }.map { entry in
                let id = entry.key.id
                let use = uses.first { $0.keyID == id && $0.bundleID == bundleID }
                // A key that is revoked in App Store Connect is revoked for all apps.
                let isNeeded = statesByApp.contains { [.active, .staged].contains($0.1.states[id]) }
                let lastSignedAt = uses.filter { $0.keyID == id }.map(\.lastSignedAt).max()
                let last = decisions.last { $0.keyID == id && $0.bundleID == bundleID }
                let isOver = use == nil && (last.map { $0.decidedAt.advanced(by: SignatureValidity.duration) <= now } ?? true)
                let state = keyStates.states[id] ?? entry.state
                return KeyStatus(
                    keyID: id, bundleID: bundleID, fingerprint: entry.key.fingerprint,
                    state: state == .retiring && isOver ? .retired : state,
                    lastSignedAt: use?.lastSignedAt, signatures: use?.signatures ?? 0,
                    safeToRevokeAt: isNeeded ? nil : lastSignedAt?.advanced(by: SignatureValidity.duration) ?? now,
                    decision: last)
            }
        }
    }

    /// Records, at a start, which keys sign if there is no manifest. If there is one, it records the fingerprints of the keys
    /// that the manifest lets sign.
    ///
    /// Without a manifest, the first key file by name signs at the first start. This is recorded, because otherwise a file that
    /// is added later and comes first by name would take over. Returns whether the store now has new decisions.
    package func settle(_ ring: KeyRing, _ decisions: KeyDecisions, hasManifest: Bool) async throws(StoreError) -> Bool {
        guard decisions.fault == nil, hasManifest || decisions.areOfNoApp else { return false }
        let now = system.now()
        func decision(_ key: SigningKey, _ bundleID: String, _ state: KeyState, by actor: String, _ reason: String) -> KeyDecision
        {
            KeyDecision(
                keyID: key.id, bundleID: bundleID, state: state.rawValue, decidedAt: now, decidedBy: actor, reason: reason,
                fingerprint: key.fingerprint)
        }
        let made =
            hasManifest
            ? ring.activeKeys.filter { decisions.fingerprint(of: $0.id) == nil }.map {
                decision($0, KeyDecision.everyApp, .staged, by: Origin.service.actor, "the key that signs at this start")
            }
            : ring.bundleIDs.compactMap { bundleID in
                ring.active(for: bundleID).map {
                    decision($0, bundleID, .active, by: KeyDecision.firstStart, "the first key file by name")
                }
            }
        guard !made.isEmpty else { return false }
        // If `add` returns false, another process has just recorded the same.
        _ = try await add(made, after: decisions, hasManifest ? .loadKey : .activateKey, by: .service)
        return true
    }

    /// Adds decisions and their events. If a later decision was made in the meantime, it adds nothing and returns false.
    private func add(
        _ made: [KeyDecision],
        after earlier: KeyDecisions,
        _ action: AuditAction,
        by origin: Origin,
        before: [KeyState?] = []
    ) async throws(StoreError) -> Bool {
        let events = made.enumerated().map { index, decision in
            origin.event(
                action, at: decision.decidedAt,
                partition: decision.bundleID == KeyDecision.everyApp ? nil : AppPartition(bundleID: decision.bundleID),
                object: decision.object(
                    number: earlier.last &+ index &+ 1, before: before.isEmpty ? nil : before[index]?.rawValue),
                reason: decision.reason.isEmpty ? nil : decision.reason)
        }
        return try await store.add(made, after: earlier.last, audit: events)
    }

    /// Decides for several apps at once: for all of them or for none.
    ///
    /// Running services follow within a quarter of a second.
    /// Returns the decisions. Throws a `KeyError` or a `StoreError`.
    ///
    /// - Parameters:
    ///   - entries: the entries of the key folder; nil if the folder cannot be read. A key can be revoked even then.
    ///   - proposal: the proposal of another person to which the caller agrees; nil if the caller decides alone.
    package func decide(
        _ request: KeyChangeRequest,
        for bundleIDs: [String],
        among entries: [KeyRing.Entry]?,
        by origin: Origin,
        reason: String,
        agreeingTo proposal: KeyProposal? = nil
    ) async throws -> [KeyDecision] {
        let reason = proposal?.reason(agreedTo: reason) ?? reason
        for _ in 0..<Self.maxAttempts {
            let earlier = try await store.keyDecisions()
            let wanted = try changes(request, for: bundleIDs, among: entries, earlier)
            try await replicas?.check(wanted.map(\.change), among: entries ?? [])
            let now = system.now()
            let made = wanted.map { wanted in
                let keyID = wanted.change.keyID
                return KeyDecision(
                    keyID: keyID, bundleID: wanted.bundleID, state: wanted.change.state.rawValue, decidedAt: now,
                    decidedBy: origin.actor, reason: reason,
                    fingerprint: earlier.fingerprint(of: keyID) ?? entries?.first { $0.key.id == keyID }?.key.fingerprint)
            }
            guard try await add(made, after: earlier, request.action, by: origin, before: wanted.map { $0.before }) else {
                continue
            }
            // If this fails, the decision is in force nevertheless. A pointless proposal that remains could not be carried out
            // anyway.
            if let entries { try? await withdrawOvertaken(among: entries, by: origin) }
            return made
        }
        throw KeyError.decidedMeanwhile
    }

    /// Records that a key was staged, with its fingerprint.
    ///
    /// - Parameter bundleIDs: the apps that the key is for; nil for every app.
    package func stage(_ keyID: String, fingerprint: String, for bundleIDs: [String]?, by origin: Origin) async throws {
        let now = system.now()
        let made = (bundleIDs ?? [KeyDecision.everyApp]).map {
            KeyDecision(
                keyID: keyID, bundleID: $0, state: KeyState.staged.rawValue, decidedAt: now, decidedBy: origin.actor, reason: "",
                fingerprint: fingerprint)
        }
        for _ in 0..<Self.maxAttempts {
            if try await add(made, after: store.keyDecisions(), .stageKey, by: origin) { return }
        }
        throw KeyError.decidedMeanwhile
    }

    /// Throws what `decide` would throw now, but decides nothing.
    func check(_ request: KeyChangeRequest, for bundleIDs: [String], among entries: [KeyRing.Entry]) async throws {
        try await replicas?.check(checkStates(request, for: bundleIDs, among: entries), among: entries)
    }

    /// Like `check`, but it does not look at the replicas, whose keys may change at any moment. Returns the changes.
    @discardableResult
    func checkStates(
        _ request: KeyChangeRequest,
        for bundleIDs: [String],
        among entries: [KeyRing.Entry]
    ) async throws -> [KeyStates.Change] {
        try changes(request, for: bundleIDs, among: entries, try await store.keyDecisions()).map(\.change)
    }

    /// The changes that a request makes in each app.
    ///
    /// An app that is already in the requested state is left out. An error is thrown only if all apps are.
    private func changes(
        _ request: KeyChangeRequest,
        for bundleIDs: [String],
        among entries: [KeyRing.Entry]?,
        _ decisions: KeyDecisions
    ) throws(KeyError) -> [(bundleID: String, change: KeyStates.Change, before: KeyState?)] {
        var wanted: [(bundleID: String, change: KeyStates.Change, before: KeyState?)] = []
        var isDone: KeyError?
        for bundleID in bundleIDs {
            let keyStates = entries.map { KeyStates(of: bundleID, in: $0, decisions: decisions.all) }
            do throws(KeyError) {
                if request.action != .revokeKey, let fault = decisions.fault(in: bundleID) {
                    throw .inDoubt(bundleID: bundleID, "\(fault)")
                }
                wanted += try changes(request, keyStates).map { (bundleID, $0, keyStates?.states[$0.keyID]) }
            } catch {
                guard request.isMet(by: error) else { throw error }
                isDone = error
            }
        }
        if wanted.isEmpty, let isDone { throw isDone }
        let activated = Set(wanted.filter { $0.change.state == .active }.map(\.change.keyID))
        for key in (entries ?? []).map(\.key) where activated.contains(key.id) {
            if let recorded = decisions.fingerprint(of: key.id), recorded != key.fingerprint {
                throw .otherKey(key.id, fingerprint: key.fingerprint, recorded: recorded)
            }
        }
        return wanted
    }

    private func changes(_ request: KeyChangeRequest, _ keyStates: KeyStates?) throws(KeyError) -> [KeyStates.Change] {
        guard let keyStates else {
            guard case .revoke(let id, evenIfActive: true) = request else { throw .folderUnreadable }
            return [KeyStates.Change(keyID: id, state: .revoked)]
        }
        return switch request {
        case .activate(let id): try keyStates.activating(id)
        case .rollBack(let id): try keyStates.rollingBack(from: id)
        case .revoke(let id, let evenIfActive): try keyStates.revoking(id, evenIfActive: evenIfActive)
        }
    }
}

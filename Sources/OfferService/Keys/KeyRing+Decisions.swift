package import OfferSigning
package import OfferStore

extension KeyRing {
    /// Every key of the folder, in the state that was decided.
    ///
    /// - Parameters:
    ///   - entries: as the key folder has them.
    ///   - decisions: the oldest first.
    package init(entries: [Entry], bundleIDs: [String], decisions: [KeyDecision]) throws(SigningError) {
        try self.init(restating: entries, bundleIDs, decisions) { _, _, keyState in keyState }
    }

    /// The same keys in their present states, except for those that were revoked since.
    package func revoking(by decisions: [KeyDecision]) throws(SigningError) -> KeyRing {
        try KeyRing(restating: entries, bundleIDs, decisions) { entry, bundleID, keyState in
            keyState == .revoked ? .revoked : entry.decided[bundleID]
        }
    }

    /// - Parameter state: the state of a key in an app, given the state that was decided; nil: as the folder says.
    private init(
        restating entries: [Entry],
        _ bundleIDs: [String],
        _ decisions: [KeyDecision],
        state: (Entry, String, KeyState) -> KeyState?
    ) throws(SigningError) {
        let statesByApp = bundleIDs.map { ($0, KeyStates(of: $0, in: entries, decisions: decisions)) }
        try self.init(
            entries: entries.map { entry in
                var decided: [String: KeyState] = [:]
                for (bundleID, keyStates) in statesByApp {
                    if let own = keyStates.states[entry.key.id] { decided[bundleID] = state(entry, bundleID, own) }
                }
                return Entry(key: entry.key, state: entry.state, apps: entry.apps, decided: decided)
            },
            bundleIDs: bundleIDs)
    }
}

extension KeyStates {
    /// The states of an app's keys among those of the folder.
    package init(of bundleID: String, in entries: [KeyRing.Entry], decisions: [KeyDecision]) {
        let serving = entries.filter { $0.serves(bundleID) }.map { ($0.key.id, $0.state) }
        self.init(of: bundleID, listed: Dictionary(serving) { first, _ in first }, decisions: decisions)
    }
}

extension KeyDecision {
    /// The state that was decided; nil for one that this release does not know.
    package var keyState: KeyState? { KeyState(rawValue: state) }
}

package import OfferSigning
package import OfferStore

/// The states of the keys of one app, computed without a store or a clock.
///
/// A key has the state that was decided or, without a decision, the state that the key folder gives it.
package struct KeyStates {
    /// A new state of a key.
    package struct Change: Equatable {
        package let keyID: String
        package let state: KeyState
    }

    private let bundleID: String
    /// The states of the app's keys, by id.
    package let states: [String: KeyState]
    /// The states of keys that were decided about and are not in the folder.
    private let absent: [String: KeyState]
    /// The keys that have signed for the app, the present one last.
    private let signers: [String]

    /// - Parameters:
    ///   - listed: the state of every key that serves the app, according to the key folder.
    ///   - decisions: about any keys and apps, the oldest first.
    package init(of bundleID: String, listed: [String: KeyState], decisions: [KeyDecision]) {
        self.bundleID = bundleID
        let own = decisions.filter { $0.bundleID == bundleID }
        var states = listed
        // The folder determines which key signs until a key was activated.
        if own.contains(where: { $0.keyState == .active }) {
            for (id, state) in listed where state == .active { states[id] = .staged }
        }
        var signers = listed.filter { $0.value == .active }.map(\.key)
        var revoked: Set<String> = []
        for decision in own {
            // A revocation is final. Whatever is decided later about the key does not count.
            guard let state = decision.keyState, !revoked.contains(decision.keyID) else { continue }
            if state == .revoked { revoked.insert(decision.keyID) }
            if state == .active {
                // If the file of the previous key was missing at that time, no decision says that this key no longer signs.
                for (id, before) in states where before == .active { states[id] = .retiring }
                signers = signers.filter { $0 != decision.keyID } + [decision.keyID]
            }
            states[decision.keyID] = state
        }
        // No decision overrides a revocation in the folder.
        for (id, state) in listed where state == .revoked { states[id] = .revoked }
        absent = states.filter { listed[$0.key] == nil }
        self.states = states.filter { listed[$0.key] != nil }
        self.signers = signers
    }

    /// The key that was activated and is not in the folder; usually nil.
    package var missing: String? { absent.first { $0.value == .active }?.key }

    /// The key that signs; nil if there is none.
    package var active: String? { states.filter { $0.value == .active }.map(\.key).min() }

    /// The changes that activate a key: it signs from now on, and the one before it no longer does.
    ///
    /// Only a staged or retiring key can be activated.
    package func activating(_ keyID: String) throws(KeyError) -> [Change] {
        guard let state = states[keyID] else { throw .unknownKey(keyID, bundleID: bundleID) }
        switch state {
        case .active: throw .active(keyID, bundleID: bundleID)
        case .retired, .revoked: throw .ended(keyID, state: state.rawValue)
        case .staged, .retiring: break
        }
        let before = active.map { Change(keyID: $0, state: .retiring) }
        return [before, Change(keyID: keyID, state: .active)].compactMap(\.self)
    }

    /// The changes by which the key before the present one signs again.
    ///
    /// - Parameter keyID: the key that signs at present; nil for whichever that is.
    package func rollingBack(from keyID: String? = nil) throws(KeyError) -> [Change] {
        let present = active
        if let keyID, keyID != present {
            throw states[keyID] == nil ? .unknownKey(keyID, bundleID: bundleID) : .notActive(keyID, bundleID: bundleID)
        }
        guard let earlier = signers.last(where: { $0 != present && states[$0] == .retiring }) else {
            throw .nothingToRollBackTo(bundleID: bundleID)
        }
        return try activating(earlier)
    }

    /// The changes by which a key never signs again.
    ///
    /// It works even if the key's file is missing, because running services may still have the key in memory.
    ///
    /// - Parameter evenIfActive: whether the app may be left without a key that signs.
    package func revoking(_ keyID: String, evenIfActive: Bool) throws(KeyError) -> [Change] {
        guard let state = states[keyID] ?? absent[keyID] else { throw .unknownKey(keyID, bundleID: bundleID) }
        if state == .revoked { throw .ended(keyID, state: state.rawValue) }
        if state == .active, !evenIfActive { throw .onlyActive(keyID, bundleID: bundleID) }
        return [Change(keyID: keyID, state: .revoked)]
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

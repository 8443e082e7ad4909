package import OfferSigning
package import OfferStore

/// The states of the keys of one app. They are computed without a store and without a clock.
///
/// The last decision about a key gives its state. If there is no decision, the key folder gives it.
package struct KeyStates {
    /// A new state of a key.
    package struct Change: Equatable {
        package let keyID: String
        package let state: KeyState
    }

    private let bundleID: String
    /// The states of the app's keys, by id.
    package let states: [String: KeyState]
    /// The states of keys about which decisions were made, but whose files are not in the folder.
    private let absent: [String: KeyState]
    /// The keys that have signed for the app. The present one is the last.
    private let signers: [String]

    /// - Parameters:
    ///   - listed: the state of every key that serves the app, according to the key folder.
    ///   - decisions: the decisions about any keys and apps, the oldest first.
    package init(of bundleID: String, listed: [String: KeyState], decisions: [KeyDecision]) {
        self.bundleID = bundleID
        let own = decisions.filter { $0.bundleID == bundleID }
        var states = listed
        // The folder says which key signs, until a decision has activated one.
        if own.contains(where: { $0.keyState == .active }) {
            for (id, state) in listed where state == .active { states[id] = .staged }
        }
        var signers = listed.filter { $0.value == .active }.map(\.key)
        var revoked: Set<String> = []
        for decision in own {
            // A revocation is final. Later decisions about the key have no effect.
            guard let state = decision.keyState, !revoked.contains(decision.keyID) else { continue }
            if state == .revoked { revoked.insert(decision.keyID) }
            if state == .active {
                // If the file of the previous key was missing when another key was activated, no decision made the previous key
                // retiring. It becomes retiring here.
                for (id, before) in states where before == .active { states[id] = .retiring }
                signers = signers.filter { $0 != decision.keyID } + [decision.keyID]
            }
            states[decision.keyID] = state
        }
        // If the folder says that a key is revoked, no decision changes that.
        for (id, state) in listed where state == .revoked { states[id] = .revoked }
        absent = states.filter { listed[$0.key] == nil }
        self.states = states.filter { listed[$0.key] != nil }
        self.signers = signers
    }

    /// The id of a key that was activated, but whose file is not in the folder; usually nil.
    package var missing: String? { absent.first { $0.value == .active }?.key }

    /// The key that signs; nil if there is none.
    package var active: String? { states.filter { $0.value == .active }.map(\.key).min() }

    /// The changes that let a key sign from now on, in place of the key that signs at present.
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

    /// The changes that let the previous key sign again.
    ///
    /// - Parameter keyID: the key that signs at present; nil if the caller does not name it.
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

    /// The changes after which a key never signs again.
    ///
    /// A key can be revoked even if its file is missing, because running services may still have the key in memory.
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
    /// The states of those keys of the folder that serve an app.
    package init(of bundleID: String, in entries: [KeyRing.Entry], decisions: [KeyDecision]) {
        let serving = entries.filter { $0.serves(bundleID) }.map { ($0.key.id, $0.state) }
        self.init(of: bundleID, listed: Dictionary(serving) { first, _ in first }, decisions: decisions)
    }
}

extension KeyDecision {
    /// The state that was decided; nil if this release does not know it.
    package var keyState: KeyState? { KeyState(rawValue: state) }
}

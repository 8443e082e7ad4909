package import OfferSigning
package import OfferStore

/// Where the keys of one app stand: as was decided, or else as the key folder says. No store, no clock.
package struct KeyStanding {
    /// A key that is to stand elsewhere.
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
    ///   - listed: what the key folder says of every key that serves the app.
    ///   - decisions: about any keys and apps, the oldest first.
    package init(of bundleID: String, listed: [String: KeyState], decisions: [KeyDecision]) {
        self.bundleID = bundleID
        let own = decisions.filter { $0.bundleID == bundleID }
        var states = listed
        // What the folder says of who signs counts until a key was activated.
        if own.contains(where: { $0.keyState == .active }) {
            for (id, state) in listed where state == .active { states[id] = .staged }
        }
        var signers = listed.filter { $0.value == .active }.map(\.key)
        for decision in own {
            guard let state = decision.keyState else { continue }
            if state == .active {
                // Of one whose file was missing nobody said that it signs no more.
                for (id, before) in states where before == .active { states[id] = .retiring }
                signers = signers.filter { $0 != decision.keyID } + [decision.keyID]
            }
            states[decision.keyID] = state
        }
        // No decision brings back what the folder calls revoked.
        for (id, state) in listed where state == .revoked { states[id] = .revoked }
        absent = states.filter { listed[$0.key] == nil }
        self.states = states.filter { listed[$0.key] != nil }
        self.signers = signers
    }

    /// The key that was activated and is not in the folder; nil as a rule.
    package var missing: String? { absent.first { $0.value == .active }?.key }

    /// The key that signs; nil if there is none.
    package var active: String? { states.filter { $0.value == .active }.map(\.key).min() }

    /// What it takes that a key signs from now on: the one before it signs no more.
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

    /// What it takes that the key before the present one signs again.
    ///
    /// - Parameter keyID: the present one; nil: whichever that is.
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

    /// What it takes that a key signs nothing more, whatever happens. Its file may be gone: a running service has the key in memory.
    ///
    /// - Parameter evenIfActive: whether the app may be left without a key that signs.
    package func revoking(_ keyID: String, evenIfActive: Bool) throws(KeyError) -> [Change] {
        guard let state = states[keyID] ?? absent[keyID] else { throw .unknownKey(keyID, bundleID: bundleID) }
        if state == .revoked { throw .ended(keyID, state: state.rawValue) }
        if state == .active, !evenIfActive { throw .onlyActive(keyID, bundleID: bundleID) }
        return [Change(keyID: keyID, state: .revoked)]
    }
}

package import OfferSigning
package import OfferStore

/// The keys of the key folder, combined with the decisions about keys.
///
/// No other code combines the two.
package struct LoadedKeys: Sendable {
    package let ring: KeyRing
    /// What is wrong with the keys that cannot be used.
    package let faults: [KeyFault]
    /// The apps whose signing key cannot be used.
    package let keyless: Set<String>
    /// The apps for which no key may sign, and why.
    package let locks: [KeyLock]
    /// The entries of the key folder; nil if the folder cannot be read.
    ///
    /// A key can be revoked even if it is nil.
    private(set) var inFolder: [KeyRing.Entry]?
    /// The decisions that the keys were loaded with.
    let decisions: KeyDecisions

    package init(
        ring: KeyRing,
        faults: [KeyFault] = [],
        keyless: Set<String> = [],
        locks: [KeyLock] = [],
        decisions: KeyDecisions = .none
    ) {
        self.decisions = decisions
        self.ring = ring
        self.faults = faults
        self.keyless = keyless
        self.locks = locks
        inFolder = ring.entries
    }

    /// Every key of the folder in the state that was decided. For an app with a lock, no key signs.
    ///
    /// - Parameter entries: the entries of the key folder.
    package init(
        entries: [KeyRing.Entry],
        bundleIDs: [String],
        decisions: KeyDecisions,
        faults: [KeyFault] = [],
        keyless: Set<String> = []
    ) throws(SigningError) {
        let locks = KeyLock.all(entries, bundleIDs, decisions)
        let locked = Set(locks.map(\.bundleID))
        var decided: [String: [String: KeyState]] = [:]
        for bundleID in bundleIDs {
            for (id, state) in KeyStates(of: bundleID, in: entries, decisions: decisions.all).states {
                decided[id, default: [:]][bundleID] = locked.contains(bundleID) && state == .active ? .retiring : state
            }
        }
        let restated = entries.map {
            KeyRing.Entry(key: $0.key, state: $0.state, apps: $0.apps, decided: decided[$0.key.id] ?? [:])
        }
        self.init(
            ring: try KeyRing(entries: restated, bundleIDs: bundleIDs), faults: faults, keyless: keyless, locks: locks,
            decisions: decisions)
    }

    /// The result if the folder cannot be read, or if its keys contradict each other. No key signs, but decisions can be made.
    ///
    /// - Parameter inFolder: the entries of the folder; nil if it cannot be read.
    package static func unusable(
        _ reason: String,
        inFolder: [KeyRing.Entry]?,
        bundleIDs: [String],
        _ decisions: KeyDecisions
    ) throws(SigningError) -> LoadedKeys {
        var keys = LoadedKeys(
            ring: try KeyRing(entries: [], bundleIDs: bundleIDs), faults: [KeyFault(file: "", reason: reason)],
            decisions: decisions)
        keys.inFolder = inFolder
        return keys
    }

    /// The same keys, without those that were revoked since. If the decisions about an app are in doubt, no key signs for it.
    func revoking(by decisions: KeyDecisions) throws(SigningError) -> LoadedKeys {
        let locks = ring.bundleIDs.compactMap { KeyLock.find(in: $0, active: nil, decisions) }
        let locked = Set(locks.map(\.bundleID))
        let entries = ring.entries.map { entry in
            var decided = entry.decided
            for bundleID in ring.bundleIDs where entry.serves(bundleID) {
                let states = KeyStates(of: bundleID, in: ring.entries, decisions: decisions.all).states
                if states[entry.key.id] == .revoked {
                    decided[bundleID] = .revoked
                } else if locked.contains(bundleID), entry.state(in: bundleID) == .active {
                    decided[bundleID] = .retiring
                }
            }
            return KeyRing.Entry(key: entry.key, state: entry.state, apps: entry.apps, decided: decided)
        }
        let kept = self.locks.filter { $0.strangeKeyID != nil && !locked.contains($0.bundleID) }
        return LoadedKeys(
            ring: try KeyRing(entries: entries, bundleIDs: ring.bundleIDs), faults: faults, locks: locks + kept)
    }

    /// The same keys with other faults.
    func with(_ faults: [KeyFault]) -> LoadedKeys { LoadedKeys(ring: ring, faults: faults, locks: locks) }

    /// The same keys, except that an app whose key in the folder cannot be used keeps the key that signed for it before. A key
    /// that was revoked is not kept.
    ///
    /// If the folder has another key under the recorded id, only the recorded key, which is still in memory, goes on signing.
    func keepingKeys(of earlier: KeyRing) throws(SigningError) -> LoadedKeys {
        var (entries, locks, faults) = (ring.entries, locks, faults)
        for bundleID in ring.bundleIDs {
            let lock = locks.first { $0.bundleID == bundleID }
            guard let key = earlier.active(for: bundleID), !ring.revokedIDs(in: bundleID).contains(key.id),
                lock.map({ $0.strangeKeyID == key.id }) ?? keyless.contains(bundleID)
            else { continue }
            let index = entries.firstIndex { $0.key.id == key.id }
            let entry = index.map { entries[$0] } ?? earlier.entries.first { $0.key.id == key.id }!
            let active = KeyRing.Entry(
                key: key, state: entry.state, apps: entry.apps, decided: entry.decided.merging([bundleID: .active]) { $1 })
            if let index { entries[index] = active } else { entries.append(active) }
            locks.removeAll { $0.bundleID == bundleID }
            // Operators must learn of this, because no key will sign for the app after the next start.
            if lock != nil, !faults.contains(where: { $0.keyID == key.id }) {
                faults.append(
                    KeyFault(
                        file: "",
                        reason: "another key than the recorded one has come under the id \(key.id); until its next start this "
                            + "process signs with the recorded one, which it has in memory; put that one's file back",
                        keyID: key.id))
            }
        }
        return LoadedKeys(
            ring: try KeyRing(entries: entries, bundleIDs: ring.bundleIDs), faults: faults, keyless: keyless, locks: locks)
    }
}

package import OfferSigning

/// The result of reading the key folder.
package struct LoadedKeys: Sendable {
    package let ring: KeyRing
    /// Keys that cannot be used.
    package let faults: [KeyFault]
    /// The apps whose signing key cannot be used.
    package let keyless: Set<String>

    /// Takes the values as they are.
    package init(ring: KeyRing, faults: [KeyFault] = [], keyless: Set<String> = []) {
        self.ring = ring
        self.faults = faults
        self.keyless = keyless
    }

    /// The same keys, but an app whose key cannot be used keeps the key that signed for it, unless that is revoked.
    func keepingKeys(of earlier: KeyRing) throws(SigningError) -> LoadedKeys {
        var entries = ring.entries
        for bundleID in keyless.sorted() {
            guard let key = earlier.active(for: bundleID), !ring.revokedIDs(in: bundleID).contains(key.id) else { continue }
            let index = entries.firstIndex { $0.key.id == key.id }
            let entry = index.map { entries[$0] } ?? earlier.entries.first { $0.key.id == key.id }!
            let active = KeyRing.Entry(
                key: entry.key, state: entry.state, apps: entry.apps,
                decided: entry.decided.merging([bundleID: .active]) { $1 })
            if let index { entries[index] = active } else { entries.append(active) }
        }
        return LoadedKeys(ring: try KeyRing(entries: entries, bundleIDs: ring.bundleIDs), faults: faults, keyless: keyless)
    }
}

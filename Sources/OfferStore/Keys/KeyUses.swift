import EligibilityRules

/// Adds up the use of keys.
package struct KeyUses {
    private struct KeyInApp: Hashable {
        let keyID: String
        let bundleID: String
    }

    private var found: [KeyInApp: (last: Instant, signatures: Int)] = [:]

    /// Creates an empty sum.
    package init() {}

    /// Adds signatures that were not added before.
    package mutating func add(_ use: KeyUse) {
        let key = KeyInApp(keyID: use.keyID, bundleID: use.bundleID)
        let before = found[key] ?? (use.lastSignedAt, 0)
        found[key] = (max(before.last, use.lastSignedAt), before.signatures + use.signatures)
    }

    /// The sums, one for each key and app, unordered.
    package var all: [KeyUse] {
        found.map { KeyUse(keyID: $0.keyID, bundleID: $0.bundleID, lastSignedAt: $1.last, signatures: $1.signatures) }
    }
}

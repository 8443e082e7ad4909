import EligibilityRules

/// Adds up what keys have signed.
package struct KeyUses {
    private struct KeyInApp: Hashable {
        let keyID: String
        let bundleID: String
    }

    private var found: [KeyInApp: (last: Instant, signatures: Int)] = [:]

    /// Of nothing.
    package init() {}

    /// Adds signatures that were not among those before.
    package mutating func add(_ use: KeyUse) {
        let key = KeyInApp(keyID: use.keyID, bundleID: use.bundleID)
        let before = found[key] ?? (use.lastSignedAt, 0)
        found[key] = (max(before.last, use.lastSignedAt), before.signatures + use.signatures)
    }

    /// One a key and app, in no order.
    package var all: [KeyUse] {
        found.map { KeyUse(keyID: $0.keyID, bundleID: $0.bundleID, lastSignedAt: $1.last, signatures: $1.signatures) }
    }
}

import EligibilityRules

/// A signing key in an app for which it signs.
package struct SigningKeyUse: Hashable, Sendable {
    package let keyID: String
    package let bundleID: String

    package init(keyID: String, bundleID: String) { (self.keyID, self.bundleID) = (keyID, bundleID) }

    /// The signing key of an entry.
    init(_ entry: LedgerEntry) { self.init(keyID: entry.keyID, bundleID: entry.partition.bundleID) }
}

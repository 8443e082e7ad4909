public import EligibilityRules

/// The use of a key for an app since an instant.
public struct KeyUse: Equatable, Sendable {
    /// Apple's key id.
    public let keyID: String
    /// The app's bundle id.
    public let bundleID: String
    /// The time of the last signature.
    public let lastSignedAt: Instant
    /// Number of signatures.
    public let signatures: Int

    /// Takes the values as they are.
    public init(keyID: String, bundleID: String, lastSignedAt: Instant, signatures: Int) {
        self.keyID = keyID
        self.bundleID = bundleID
        self.lastSignedAt = lastSignedAt
        self.signatures = signatures
    }
}

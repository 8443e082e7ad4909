public import EligibilityRules

/// What a key has signed for an app since some instant.
public struct KeyUse: Equatable, Sendable {
    /// Apple's key id.
    public let keyID: String
    /// The app.
    public let bundleID: String
    /// When it signed last.
    public let lastSignedAt: Instant
    /// How many signatures it has made.
    public let signatures: Int

    /// Takes the values as they are.
    public init(keyID: String, bundleID: String, lastSignedAt: Instant, signatures: Int) {
        self.keyID = keyID
        self.bundleID = bundleID
        self.lastSignedAt = lastSignedAt
        self.signatures = signatures
    }
}

public import EligibilityRules

/// One access key as it is kept: never the secret, only its SHA-256.
public struct AccessRecord: Equatable, Sendable {
    /// What stands between `osk_` and the next underscore.
    public let id: String
    /// SHA-256 of the secret part of the token.
    public let secretDigest: [UInt8]
    /// What it may do, by the name of the role.
    public let role: String
    /// Bundle ids; nil means every app.
    public let apps: [String]?
    /// What the key is for, in its owner's words.
    public let note: String
    /// When it was made.
    public let createdAt: Instant
    /// When it ends.
    public let expiresAt: Instant?
    /// When it was revoked; nil if it was not.
    public let revokedAt: Instant?

    /// Takes the values as they are.
    public init(
        id: String,
        secretDigest: [UInt8],
        role: String,
        apps: [String]?,
        note: String,
        createdAt: Instant,
        expiresAt: Instant?,
        revokedAt: Instant? = nil
    ) {
        self.id = id
        self.secretDigest = secretDigest
        self.role = role
        self.apps = apps
        self.note = note
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.revokedAt = revokedAt
    }
}

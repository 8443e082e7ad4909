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
    /// Who made it: an access key's id; nil: somebody with the machine's own rights.
    public let createdBy: String?
    /// The IANA time zone of who holds it; nil: UTC.
    public let timeZone: String?
    /// When it was used last, as far as that was noted; written by `AccessStore.noteUse`, not with the record.
    public let lastUsedAt: Instant?

    /// Takes the values as they are.
    public init(
        id: String,
        secretDigest: [UInt8],
        role: String,
        apps: [String]?,
        note: String,
        createdAt: Instant,
        expiresAt: Instant?,
        revokedAt: Instant? = nil,
        createdBy: String? = nil,
        timeZone: String? = nil,
        lastUsedAt: Instant? = nil
    ) {
        self.id = id
        self.secretDigest = secretDigest
        self.role = role
        self.apps = apps
        self.note = note
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.revokedAt = revokedAt
        self.createdBy = createdBy
        self.timeZone = timeZone
        self.lastUsedAt = lastUsedAt
    }
}

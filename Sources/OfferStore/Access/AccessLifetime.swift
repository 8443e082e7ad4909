public import EligibilityRules

/// An access key's creation and its end.
public struct AccessLifetime: Equatable, Sendable {
    /// When the key was created.
    public let createdAt: Instant
    /// Id of the access key that created it; nil if an operator created it on the machine itself.
    public let createdBy: String?
    /// When the key expires; nil for never.
    public let expiresAt: Instant?
    /// When the key was revoked; nil if it is not revoked.
    public let revokedAt: Instant?

    /// Takes the values as they are.
    public init(createdAt: Instant, createdBy: String? = nil, expiresAt: Instant? = nil, revokedAt: Instant? = nil) {
        self.createdAt = createdAt
        self.createdBy = createdBy
        self.expiresAt = expiresAt
        self.revokedAt = revokedAt
    }
}

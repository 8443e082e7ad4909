public import EligibilityRules

/// An access key as the store keeps it: only the SHA-256 of the secret, never the secret itself.
public struct AccessRecord: Equatable, Sendable {
    /// The part of the token between `osk_` and the next underscore.
    public let id: String
    /// SHA-256 of the secret part of the token.
    public let secretDigest: [UInt8]
    /// The name of the key's role.
    public let role: String
    /// Bundle ids that the key may use; nil means every app.
    public let apps: [String]?
    /// The purpose of the key, in its owner's words.
    public let note: String
    /// When the key was created and by which actor, and when it ends.
    public let lifetime: AccessLifetime
    /// The IANA time zone of the key's holder; nil means UTC.
    public let timeZone: String?
    /// When the key was last used; nil if no use is noted.
    ///
    /// Only `AccessStore.noteUse` writes this; adding the record does not.
    public let lastUsedAt: Instant?
    /// How the stored key differs from the audit events that record it; nil if it does not differ.
    ///
    /// The service refuses a key that differs.
    package private(set) var fault: AuditFault?

    /// Stores the given values without checking them.
    public init(
        id: String,
        secretDigest: [UInt8],
        role: String,
        apps: [String]?,
        note: String,
        lifetime: AccessLifetime,
        timeZone: String? = nil,
        lastUsedAt: Instant? = nil
    ) {
        self.id = id
        self.secretDigest = secretDigest
        self.role = role
        self.apps = apps
        self.note = note
        self.lifetime = lifetime
        self.timeZone = timeZone
        self.lastUsedAt = lastUsedAt
    }

    /// Returns the same key with this difference from its audit events.
    package func with(_ fault: AuditFault?) -> AccessRecord {
        var record = self
        record.fault = fault
        return record
    }
}

extension AccessRecord {
    /// What the key permits, as a text for the audit log.
    package var terms: String { terms(isRevoked: lifetime.revokedAt != nil) }

    /// The text in the event of the key's creation: its terms, and the first half of the SHA-256 of its secret.
    ///
    /// If another secret is put into the database, its digest no longer matches the event.
    package var creation: String {
        "\(terms(isRevoked: false)), secret's SHA-256 \(Hexadecimal.encode(Array(secretDigest.prefix(16))))…"
    }

    /// What the key permits, as a text.
    ///
    /// - Parameter isRevoked: whether to say `revoked` instead of when the key expires.
    package func terms(isRevoked: Bool) -> String {
        let until = lifetime.expiresAt.map { "until \($0.iso8601)" } ?? "without end"
        return "\(role), \(apps?.joined(separator: ", ") ?? "every app"), \(isRevoked ? "revoked" : until)"
    }
}

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

    /// Stores the given values without checking them.
    public init(createdAt: Instant, createdBy: String? = nil, expiresAt: Instant? = nil, revokedAt: Instant? = nil) {
        self.createdAt = createdAt
        self.createdBy = createdBy
        self.expiresAt = expiresAt
        self.revokedAt = revokedAt
    }
}

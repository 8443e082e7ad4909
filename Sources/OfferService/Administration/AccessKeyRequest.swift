package import EligibilityRules

/// The properties of an access key to be made.
package struct AccessKeyRequest: Sendable {
    package let role: Role
    /// Bundle ids; nil: every app, also later ones.
    package let apps: [String]?
    /// The purpose in its maker's words, by which people know the key.
    package let note: String
    /// IANA name; nil: UTC.
    package let timeZone: String?
    /// Nil: the key never expires, or expires as `lifetime` says.
    package let expiresAt: Instant?
    /// Milliseconds from the making of the key; nil: as `expiresAt` says.
    package let lifetime: Int64?

    package init(
        role: Role, apps: [String]?, note: String, timeZone: String? = nil, expiresAt: Instant? = nil, lifetime: Int64? = nil
    ) {
        self.role = role
        self.apps = apps
        self.note = note
        self.timeZone = timeZone
        self.expiresAt = expiresAt
        self.lifetime = lifetime
    }
}

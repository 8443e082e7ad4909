package import EligibilityRules

/// What an access key is to be.
package struct AccessWish: Sendable {
    package let role: Role
    /// Bundle ids; nil: every app, also later ones.
    package let apps: [String]?
    /// What it is for, in its maker's words; people know it by this.
    package let note: String
    /// IANA name; nil: UTC.
    package let timeZone: String?
    /// Nil: never, or as `lifetime` says.
    package let expiresAt: Instant?
    /// Milliseconds from when it is made; nil: as `expiresAt` says.
    package let lifetime: Int64?

    /// Takes the values as they are.
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

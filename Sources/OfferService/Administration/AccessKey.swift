package import EligibilityRules
import OfferStore

/// An access key as people see it: everything but its secret.
package struct AccessKey: Equatable, Sendable {
    package let id: String
    package let role: String
    /// Bundle ids; nil for every app.
    package let apps: [String]?
    package let note: String
    /// The IANA name of the time zone in which the key's holder reads times, such as `Europe/Berlin`.
    package let timeZone: String
    package let createdAt: Instant
    /// The id of the access key that made this one; nil if an operator at the command line made it.
    package let createdBy: String?
    package let expiresAt: Instant?
    package let revokedAt: Instant?
    package let lastUsedAt: Instant?

    init(_ record: AccessRecord) {
        id = record.id
        role = record.role
        apps = record.apps
        note = record.note
        timeZone = record.timeZone ?? "UTC"
        createdAt = record.lifetime.createdAt
        createdBy = record.lifetime.createdBy
        expiresAt = record.lifetime.expiresAt
        revokedAt = record.lifetime.revokedAt
        lastUsedAt = record.lastUsedAt
    }

    /// Whether the key is valid, or why it is not.
    package enum State: String {
        case active, expired, revoked
    }

    /// The state at an instant.
    package func state(at now: Instant) -> State {
        if revokedAt != nil { return .revoked }
        return expiresAt.map { $0 <= now } == true ? .expired : .active
    }

    /// Whether the key can be used: neither revoked nor expired, and of a role that this release knows.
    package func isGood(at now: Instant) -> Bool { state(at: now) == .active && Role(rawValue: role) != nil }
}

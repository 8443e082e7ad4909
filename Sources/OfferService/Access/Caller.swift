package import EligibilityRules
import OfferSigning
package import OfferStore

/// Somebody who holds an access key, with the state that belongs to them.
package final class Caller: Sendable {
    package let id: String
    package let role: Role
    /// Bundle ids; nil means every app.
    package let apps: Set<String>?
    package let rate: RateState
    private let secretDigest: [UInt8]
    private let expiresAt: Instant?
    private let revokedAt: Instant?

    /// Nil for a role that this release does not know.
    package init?(_ record: AccessRecord, rate: RateState) {
        guard let role = Role(rawValue: record.role) else { return nil }
        id = record.id
        self.role = role
        apps = record.apps.map(Set.init)
        self.rate = rate
        secretDigest = record.secretDigest
        expiresAt = record.expiresAt
        revokedAt = record.revokedAt
    }

    private init(id: String, role: Role) {
        self.id = id
        self.role = role
        apps = nil
        rate = RateState()
        secretDigest = []
        expiresAt = nil
        revokedAt = nil
    }

    /// The App Store, which sends notifications without a key: each proves itself.
    package static let appStore = Caller(id: "app-store", role: .viewer)

    /// Whether the token's secret is this caller's.
    package func isRight(_ token: AccessToken) -> Bool { Crypto.constantTimeEqual(token.digest, secretDigest) }

    /// Whether the key is still good: neither revoked nor expired.
    package func isAdmitted(at now: Instant) -> Bool { revokedAt == nil && (expiresAt.map { now < $0 } ?? true) }

    /// Whether the caller may act for an app.
    func mayUse(app bundleID: String) -> Bool { apps?.contains(bundleID) ?? true }
}

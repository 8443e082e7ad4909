package import EligibilityRules
import OfferSigning
package import OfferStore

/// Somebody who holds an access key, or a customer with a token, with the state that belongs to them.
package final class Caller: Sendable {
    package let id: String
    package let role: Role
    /// Bundle ids; nil means every app.
    package let apps: Set<String>?
    package let rate: RateState
    /// What people know it by.
    package let note: String
    /// IANA name.
    package let timeZone: String
    /// The customer who asks without a backend in between; nil for who holds an access key.
    package let endUser: EndUser?
    private let use: CallerUse
    private let secretDigest: [UInt8]
    private let expiresAt: Instant?
    private let revokedAt: Instant?

    /// Nil for a role that this release does not know.
    package init?(_ record: AccessRecord, rate: RateState, use: CallerUse = CallerUse()) {
        guard let role = Role(rawValue: record.role) else { return nil }
        id = record.id
        self.role = role
        apps = record.apps.map(Set.init)
        self.rate = rate
        self.use = use
        note = record.note
        timeZone = record.timeZone ?? "UTC"
        secretDigest = record.secretDigest
        expiresAt = record.expiresAt
        revokedAt = record.revokedAt
        endUser = nil
    }

    private init(id: String, role: Role, apps: Set<String>? = nil, rate: RateState = RateState(), endUser: EndUser? = nil) {
        self.id = id
        self.role = role
        self.apps = apps
        self.rate = rate
        self.endUser = endUser
        use = CallerUse()
        note = id
        timeZone = "UTC"
        secretDigest = []
        expiresAt = nil
        revokedAt = nil
    }

    /// A customer of some apps, who asks without a backend in between.
    ///
    /// - Parameter id: tells the customer from others, and does not say who it is.
    convenience init(_ endUser: EndUser, id: String, apps: Set<String>, rate: RateState) {
        self.init(id: id, role: .client, apps: apps, rate: rate, endUser: endUser)
    }

    /// The App Store, which sends notifications without a key: each proves itself.
    package static let appStore = Caller(id: "app-store", role: .viewer)

    /// Whether the token's secret is this caller's.
    package func isRight(_ token: AccessToken) -> Bool { Crypto.constantTimeEqual(token.digest, secretDigest) }

    /// Whether the key is still good: neither revoked nor expired.
    package func isAdmitted(at now: Instant) -> Bool { revokedAt == nil && (expiresAt.map { now < $0 } ?? true) }

    /// Says that it is used.
    package func noteUse(at now: Instant) { use.note(now) }

    /// When it was used last; nil if that was not in this process.
    package var lastUsedAt: Instant? { use.last }

    /// Whose turn its requests take. Customers who ask for themselves take one together.
    package var queueName: String { endUser == nil ? id : "end users" }

    /// Whether the caller may act for an app.
    package func mayUse(app bundleID: String) -> Bool { apps?.contains(bundleID) ?? true }
}

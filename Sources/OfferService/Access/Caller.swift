package import EligibilityRules
import OfferSigning
package import OfferStore
import Synchronization

/// The sender of requests: the holder of an access key, or a customer with a token. It carries the caller's rate and last use.
package final class Caller: Sendable {
    package let id: String
    package let role: Role
    /// Bundle ids; nil means every app.
    package let apps: Set<String>?
    package let rate: RateState
    /// The label by which people know the access key.
    package let note: String
    /// The IANA name of the time zone in which the caller reads times, such as `Europe/Berlin`.
    package let timeZone: String
    /// The customer who sends requests without a backend; nil for the holder of an access key.
    package let endUser: EndUser?
    private let use: CallerUse
    private let secretDigest: [UInt8]
    private let expiresAt: Instant?
    private let revokedAt: Instant?

    /// Nil if the record has a role that this release does not know.
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
        expiresAt = record.lifetime.expiresAt
        revokedAt = record.lifetime.revokedAt
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

    /// A customer of some apps, who sends requests without a backend.
    ///
    /// - Parameter id: distinguishes the customer from others without identifying the customer.
    convenience init(_ endUser: EndUser, id: String, apps: Set<String>, rate: RateState) {
        self.init(id: id, role: .client, apps: apps, rate: rate, endUser: endUser)
    }

    /// An operator at the command line, with the machine's own rights.
    package static let commandLine = Caller(id: Origin.commandLine.actor, role: .admin)

    /// The App Store, which sends notifications without a key. Each notification proves its own origin.
    package static let appStore = Caller(id: "app-store", role: .viewer)

    /// Whether the token's secret is this caller's.
    package func isRight(_ token: AccessToken) -> Bool { Crypto.constantTimeEqual(token.digest, secretDigest) }

    /// Whether the key is valid at an instant: neither revoked nor expired.
    package func isAdmitted(at now: Instant) -> Bool { revokedAt == nil && (expiresAt.map { now < $0 } ?? true) }

    /// Records a use of the key in memory. `AccessUseRecorder` writes it to the store later.
    package func noteUse(at now: Instant) { use.note(now) }

    /// The last use in this process; nil if there was none.
    package var lastUsedAt: Instant? { use.last }

    /// Whether the caller is an operator at the command line.
    ///
    /// No second person needs to agree to what such an operator does, because the operator could also change the store directly.
    package var hasMachineRights: Bool { self === Caller.commandLine }

    /// The caller as the actor of an event in the audit log, where there is no request to record.
    package var origin: Origin { Origin(actor: id) }

    /// Whether the caller may act for an app.
    package func mayUse(app bundleID: String) -> Bool { apps?.contains(bundleID) ?? true }
}

/// A customer who sends requests without a backend, with a token of the app's own sign-in.
///
/// The service trusts only these two values of such a request, because anyone who has the app can forge the others.
package struct EndUser: Equatable, Sendable {
    /// The app's own id of the customer: the token's `sub`.
    package let customerID: String
    /// The customer's own `appAccountToken`, a UUID in lower case; nil if the token proves none.
    package let accountToken: String?
    /// The `appTransactionId` of the customer's Apple account; nil if the token proves none.
    package let appTransactionID: String?

    package init(customerID: String, accountToken: String?, appTransactionID: String? = nil) {
        self.customerID = customerID
        self.accountToken = accountToken
        self.appTransactionID = appTransactionID
    }
}

/// The last use of an access key. It outlives the reload of the key.
package final class CallerUse: Sendable {
    private let latest = Atomic<Int64>(0)
    private let noted = Atomic<Int64>(0)

    package init() {}

    /// Records that a request has used the key at this instant.
    func note(_ instant: Instant) { latest.store(instant.milliseconds, ordering: .relaxed) }

    /// The last use in this process; nil if there was none.
    var last: Instant? {
        let milliseconds = latest.load(ordering: .relaxed)
        return milliseconds == 0 ? nil : Instant(milliseconds: milliseconds)
    }

    /// The last use, for the store; nil if an earlier call has already returned it.
    func takeNew() -> Instant? {
        guard let last, noted.exchange(last.milliseconds, ordering: .relaxed) != last.milliseconds else { return nil }
        return last
    }
}

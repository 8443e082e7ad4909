import AppStore
import EligibilityRules
import NIOCore
import OfferStore
import OfferStoreTesting
import Synchronization

@testable import OfferHTTP
@testable import OfferService

/// A gate with the access keys that a test makes, at a time that it sets: two apps, and three requests at once.
struct GateFixture {
    private final class Boot: Sendable { let uptime = Atomic<Int64>(0) }

    static let now = Instant(milliseconds: 1_700_000_000_000)

    let gate: Gate
    let directory: AccessDirectory
    private let boot = Boot()
    private let stores = TemporaryStore()

    /// - Parameter endUsers: nil: there are none. Each may ask twice at once.
    init(certificateRoles: Set<Role> = [], endUsers: EndUserDirectory? = nil) {
        let changes = stores.processes.changes
        directory = AccessDirectory(store: stores.credentials.access, feed: changes)
        let apps = ["a", "b"].map { id in
            App(
                identity: AppIdentity(bundleID: id, appAppleID: nil, environment: .production),
                rules: AppRules(enforcement: .enforce), policy: EligibilityPolicy(), catalogue: Catalogue(products: []))
        }
        let system = SystemEnvironment(
            now: { GateFixture.now }, uptime: { [boot] in boot.uptime.load(ordering: .relaxed) },
            randomBytes: SystemEnvironment.live.randomBytes)
        gate = Gate(
            apps: AppDirectory(apps), directory: directory,
            changes: ChangeWatch(directory, feed: changes, system: system),
            endUsers: endUsers,
            policy: EdgePolicy(
                rates: CurrentRates(
                    accessKeys: RateLimit(requestsPerSecond: 1, burst: 3), endUsers: RateLimit(requestsPerMinute: 1, burst: 2)),
                certificateRoles: certificateRoles, proxies: TrustedProxies(), bodyBytes: 1 << 20, idleTimeout: .hours(1)),
            system: system)
    }

    private var store: any AccessStore { stores.credentials.access }

    /// Makes an access key, which the gate knows of after the next look at the store. Returns its token.
    func key(
        _ role: Role,
        apps: [String]? = nil,
        expiresAt: Instant? = nil,
        revokedAt: Instant? = nil
    ) async throws -> String {
        let token = try AccessToken.generate()
        try await store.add(
            AccessRecord(
                id: token.id, secretDigest: token.digest, role: role.rawValue, apps: apps, note: "",
                lifetime: AccessLifetime(createdAt: GateFixture.now, expiresAt: expiresAt, revokedAt: revokedAt)))
        return token.text
    }

    /// Lets the service be frozen for so many ms: it looks at nothing meanwhile.
    func freeze(_ milliseconds: Int64) { boot.uptime.add(milliseconds, ordering: .relaxed) }

    /// Revokes a key, which the gate knows of after the next look at the store.
    func revoke(_ token: String) async throws {
        _ = try await store.revokeAccess(id: AccessToken(token[...])!.id, at: GateFixture.now, audit: [])
    }

    /// What became of a request with a token, in a word, and whose it was.
    func word(
        _ access: OperationAccess,
        _ token: String?,
        cost: Int64 = 1,
        bodyBytes: Int? = nil,
        certificate: Instant? = nil
    ) -> String {
        switch gate.decide(access, token: token.map { $0[...] }, cost: cost, bodyBytes: bodyBytes, certificate: { certificate }) {
        case .admitted(let admission): "admitted \(admission.caller.role) \(admission.rate.map { "\($0.remaining)" } ?? "-")"
        case .refused(let problem, let caller, let rate):
            "\(problem.code) \(caller.map { "\($0.role)" } ?? "-") \(rate.map { "\($0.remaining)" } ?? "-")"
        case .unknownKey: "unknown"
        case .unverifiedToken: "unverified"
        }
    }
}

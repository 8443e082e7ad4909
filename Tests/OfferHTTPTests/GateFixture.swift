import AppStore
import EligibilityRules
import Logging
import NIOCore
import OfferStore
import OfferStoreTesting

@testable import OfferHTTP
@testable import OfferService

/// A gate with the access keys that a test makes, at a time that it sets: two apps, and three requests at once.
struct GateFixture {
    static let now = Instant(milliseconds: 1_700_000_000_000)

    let gate: Gate
    let directory: AccessDirectory
    private let store = MemoryAccessStore()

    /// - Parameter endUsers: nil: there are none. Each may ask twice at once.
    init(certificateRoles: Set<Role> = [], endUsers: EndUserDirectory? = nil) {
        directory = AccessDirectory(store: store, feed: store)
        let apps = ["a", "b"].map { id in
            App(
                identity: AppIdentity(bundleID: id, appAppleID: nil, environment: .production),
                rules: AppRules(enforcement: .enforce), policy: EligibilityPolicy(), catalogue: Catalogue(products: []))
        }
        let system = SystemEnvironment(now: { GateFixture.now }, randomBytes: SystemEnvironment.live.randomBytes)
        gate = Gate(
            apps: AppDirectory(apps), directory: directory,
            endUsers: endUsers.map { EndUserDoor(directory: $0, rateLimit: RateLimit(requestsPerMinute: 1, burst: 2)) },
            policy: EdgePolicy(
                rateLimit: RateLimit(requestsPerSecond: 1, burst: 3), certificateRoles: certificateRoles,
                proxies: TrustedProxies(), bodyBytes: 1 << 20, idleTimeout: .hours(1)),
            system: system)
    }

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

import EligibilityRules
import Glibc
import NIOCore
import OfferService

/// Who may come in, how often, and for which app: the same checks for every operation, on plain values.
///
/// A class: every request passes it around.
final class Gate: Sendable {
    /// A caller who has been let in.
    struct Admission: Sendable {
        let caller: Caller
        /// Nil where no rate is kept.
        let rate: RateLimit.Decision?
    }

    /// What a look at the token and the rate came to.
    enum Decision: Sendable {
        case admitted(Admission)
        /// The caller is known if the token's secret is right, and the rate if the token is good.
        case refused(Problem, Caller? = nil, RateLimit.Decision? = nil)
        /// The key's id is not in memory; it may have been made a moment ago.
        case unknownKey
        /// A token of an end user that has to be verified first.
        case unverifiedToken
    }

    /// Bytes of a body that count as another request: reading a large one takes its time.
    private static let bytesPerRequest: Int64 = 16 * 1024

    private let apps: AppDirectory
    private let directory: AccessDirectory
    /// Nil where no app takes tokens of end users.
    private let endUsers: EndUserDoor?
    private let system: SystemEnvironment
    private let rateLimit: RateLimit
    private let replicas: ReplicaCount
    private let policy: HeaderLine
    private let endUserPolicy: HeaderLine
    private let certificateRoles: Set<Role>
    /// Who is believed about where requests come from.
    let proxies: TrustedProxies
    /// Nil where there is no console.
    let console: ConsoleDoor?

    /// - Parameters:
    ///   - certificateRoles: whose access keys are not taken without a client certificate.
    ///   - proxies: who is believed about where requests come from.
    ///   - endUsers: nil where no app takes tokens of end users.
    ///   - replicas: how many share the rates.
    init(
        apps: AppDirectory,
        directory: AccessDirectory,
        endUsers: EndUserDoor? = nil,
        console: ConsoleDoor? = nil,
        certificateRoles: Set<Role> = [],
        proxies: TrustedProxies = TrustedProxies(),
        rateLimit: RateLimit,
        replicas: ReplicaCount = ReplicaCount(),
        system: SystemEnvironment
    ) {
        self.apps = apps
        self.console = console
        self.certificateRoles = certificateRoles
        self.proxies = proxies
        self.directory = directory
        self.endUsers = endUsers
        self.system = system
        self.rateLimit = rateLimit
        self.replicas = replicas
        policy = Gate.policy(rateLimit)
        endUserPolicy = Gate.policy(endUsers?.rateLimit ?? rateLimit)
    }

    private static func policy(_ limit: RateLimit) -> HeaderLine {
        HeaderLine(name: "RateLimit-Policy", value: "\"default\";q=\(limit.burst);w=\(limit.windowSeconds)")
    }

    /// Decides about one request.
    ///
    /// - Parameters:
    ///   - token: that of `Authorization: Bearer`.
    ///   - cost: how many ordinary requests it counts for, besides its body.
    ///   - bodyBytes: what the head says of the body; nil: nothing.
    ///   - certificate: when the client's certificate expires; nil if it has shown none.
    func decide(
        _ access: OperationAccess,
        token: Substring?,
        cost: Int64,
        bodyBytes: Int?,
        certificate: () -> Instant? = { nil }
    ) -> Decision {
        let permission: Permission
        switch access {
        case .open: return .admitted(Admission(caller: .appStore, rate: nil))
        case .needs(let needed), .needsOrEndUser(let needed): permission = needed
        // No token opens the console.
        case .session: return .refused(.unauthorized)
        }
        guard let text = token else { return .refused(.unauthorized) }
        guard let token = AccessToken(text) else {
            return decide(access, endUserToken: text, cost: cost + Int64(bodyBytes ?? 0) / Gate.bytesPerRequest)
        }
        guard let caller = directory.caller(id: token.id) else { return .unknownKey }
        guard caller.isRight(token) else { return .refused(.unauthorized) }
        let now = system.now()
        guard caller.isAdmitted(at: now) else { return .refused(.unauthorized, caller) }
        // Before it counts as use, or against the rate: a stolen key must not hold up its owner.
        guard !lacksCertificate(caller.role, certificate) else { return .refused(.certificateNeeded, caller) }
        caller.noteUse(at: now)
        let rate = admit(caller, cost: cost + Int64(bodyBytes ?? 0) / Gate.bytesPerRequest)
        guard rate.isAllowed else { return .refused(.rateLimited(seconds: rate.retryAfterSeconds), caller, rate) }
        guard caller.role.may(permission) else {
            return .refused(.forbidden(permission, to: caller.role), caller, rate)
        }
        return .admitted(Admission(caller: caller, rate: rate))
    }

    private func decide(_ access: OperationAccess, endUserToken token: Substring, cost: Int64) -> Decision {
        guard let endUsers, EndUserDirectory.isPossible(token) else { return .refused(.unauthorized) }
        guard case .needsOrEndUser = access else { return .refused(.accessKeyNeeded) }
        guard let caller = endUsers.directory.caller(token) else { return .unverifiedToken }
        return admission(ofEndUser: caller, cost: cost)
    }

    /// Lets an end user in whose token is good, within their own rate.
    private func admission(ofEndUser caller: Caller, cost: Int64) -> Decision {
        let rate = admit(caller, cost: cost)
        guard rate.isAllowed else {
            return .refused(.rateLimited(seconds: rate.retryAfterSeconds, whose: "this user"), caller, rate)
        }
        return .admitted(Admission(caller: caller, rate: rate))
    }

    /// Verifies a token that nothing is known of, and decides. Waits: for threads of its own, maybe for the issuer's keys.
    func decideUnverified(token: Substring?, cost: Int64, bodyBytes: Int?) async throws -> Decision {
        guard let endUsers, let token else { return .refused(.unauthorized) }
        let text = String(token)
        let caller = try await endUsers.directory.verify(text)
        return admission(ofEndUser: caller, cost: cost + Int64(bodyBytes ?? 0) / Gate.bytesPerRequest)
    }

    /// Where tokens are verified; nil where none is.
    var tokenExecutor: BoundedExecutor? { endUsers?.directory.executor }

    /// Decides about a request of somebody who is signed in to the console.
    ///
    /// - Parameter certificate: when the client's certificate expires; nil if it has shown none.
    func decide(_ permission: Permission, signedIn caller: Caller, certificate: Instant? = nil) -> Decision {
        guard !lacksCertificate(caller.role, { certificate }) else { return .refused(.certificateNeeded, caller) }
        let rate = admit(caller, cost: 1)
        guard rate.isAllowed else { return .refused(.rateLimited(seconds: rate.retryAfterSeconds), caller, rate) }
        guard caller.role.may(permission) else { return .refused(.forbidden(permission, to: caller.role), caller, rate) }
        return .admitted(Admission(caller: caller, rate: rate))
    }

    /// Whether anybody needs a client certificate.
    var asksForCertificates: Bool { !certificateRoles.isEmpty }

    /// Whether a role needs a client certificate, and there is none, or one that has expired since the handshake.
    ///
    /// - Parameter certificate: when it expires; nil if there is none.
    func lacksCertificate(_ role: Role, _ certificate: () -> Instant?) -> Bool {
        guard certificateRoles.contains(role) else { return false }
        guard let expiry = certificate() else { return true }
        return expiry <= system.now()
    }

    /// Looks for access keys that were made a moment ago.
    func refreshForUnknownKey() async throws { try await directory.refreshForUnknownKey() }

    /// Takes from the rate what a body of unannounced length costs; nil if that is nothing.
    func charge(_ admission: Admission, bytes: Int) -> RateLimit.Decision? {
        charge(admission, requests: Int64(bytes) / Gate.bytesPerRequest)
    }

    /// Takes from the rate what is more than one ordinary request; nil if that is nothing.
    func charge(_ admission: Admission, requests cost: Int64) -> RateLimit.Decision? {
        guard cost > 0, admission.rate != nil else { return nil }
        // It was let in as one; only who owes something already is refused.
        return admit(admission.caller, cost: cost, needed: 0)
    }

    /// The app that an admitted request is about; fails unless the operation has declared one and the caller may act for it.
    ///
    /// - Parameter name: as the request or its path has it.
    func app(_ scope: AppScope, named name: String?, for caller: Caller) throws -> App {
        switch scope {
        case .none: throw Problem.forbidden("this operation is about no app")
        case .named: try apps.app(named: name, for: caller)
        case .inPath: try apps.app(name ?? "")
        }
    }

    private func admit(_ caller: Caller, cost: Int64, needed: Int64? = nil) -> RateLimit.Decision {
        let limit = caller.endUser == nil ? rateLimit : endUsers?.rateLimit ?? rateLimit
        return limit.admit(
            caller.rate, now: Int64(NIODeadline.now().uptimeNanoseconds), cost: cost, needed: needed, replicas: replicas.value)
    }

    /// The headers that tell a caller of its rate (draft-ietf-httpapi-ratelimit-headers).
    func headers(_ rate: RateLimit.Decision) -> [HeaderLine] {
        [
            HeaderLine(name: "RateLimit", value: "\"default\";r=\(rate.remaining);t=\(rate.resetSeconds)"),
            rate.limit == rateLimit ? policy : endUserPolicy,
        ]
    }
}

import EligibilityRules
import Glibc
import NIOCore
package import OfferService
import WireText

/// Makes the checks that every request has to pass. It checks whether the caller is admitted, whether the caller's rate allows
/// the request, and whether the caller may act for the app.
///
/// It is a class, because it is passed along with every request, and copying a reference is cheap.
package final class Gate: Sendable {
    /// An admitted caller.
    struct Admission: Sendable {
        let caller: Caller
        /// What the rate limit has decided; nil if none applies to the operation.
        let rate: RateLimit.Decision?
    }

    /// The outcome of checking the token and the rate.
    enum Decision: Sendable {
        case admitted(Admission)
        /// The request is refused with a problem. The caller is present if the token is genuine, and the rate if the request
        /// counts for it.
        case refused(Problem, Caller? = nil, RateLimit.Decision? = nil)
        /// The id of the access key is not in memory. The key may be new, so the store has to be asked.
        case unknownKey
        /// The caller presents the token of an end user, which must be verified first.
        case unverifiedToken
    }

    /// A large body counts as more than one request, because reading it takes time: one more for each time that it has this many
    /// bytes.
    private static let bytesPerRequest: Int64 = 16 * 1024

    private let apps: AppDirectory
    private let directory: AccessDirectory
    private let changes: ChangeWatch
    /// Verifies tokens of end users; nil if no app accepts such tokens.
    private let endUsers: EndUserDirectory?
    private let system: SystemEnvironment
    let policy: EdgePolicy
    private let replicas: ReplicaCount
    /// Recognises users of the console; nil if there is no console.
    let console: ConsoleDoor?

    /// - Parameters:
    ///   - changes: keeps the directory of access keys, and everything else that operations read from memory, up to date.
    ///   - endUsers: verifies tokens of end users; nil if no app accepts such tokens.
    ///   - console: recognises users of the console; nil if there is no console.
    ///   - replicas: the number of replicas among which each caller's rate is divided.
    package init(
        apps: AppDirectory,
        directory: AccessDirectory,
        changes: ChangeWatch,
        endUsers: EndUserDirectory? = nil,
        console: ConsoleDoor? = nil,
        policy: EdgePolicy,
        replicas: ReplicaCount = ReplicaCount(),
        system: SystemEnvironment
    ) {
        self.apps = apps
        self.directory = directory
        self.changes = changes
        self.endUsers = endUsers
        self.console = console
        self.policy = policy
        self.replicas = replicas
        self.system = system
    }

    /// Decides about one request.
    ///
    /// - Parameters:
    ///   - token: the token of `Authorization: Bearer`; nil if there is none.
    ///   - cost: as how many ordinary requests this one counts, apart from its body.
    ///   - bodyBytes: the length of the body as the head states it; nil if the head states none.
    ///   - certificate: the expiry of the client's certificate; nil if the client presented none.
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
        // The console requires a session; an access key alone is not enough.
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
        // The certificate is checked first. A thief who has the key but no certificate must neither use up the owner's rate nor
        // appear as a use of the key.
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
        guard let caller = endUsers.caller(token) else { return .unverifiedToken }
        return admission(ofEndUser: caller, cost: cost)
    }

    /// Admits an end user whose token is valid, if the end user's rate allows that.
    private func admission(ofEndUser caller: Caller, cost: Int64) -> Decision {
        let rate = admit(caller, cost: cost)
        guard rate.isAllowed else {
            return .refused(.rateLimited(seconds: rate.retryAfterSeconds, whose: "this user"), caller, rate)
        }
        return .admitted(Admission(caller: caller, rate: rate))
    }

    /// Verifies an end user's token that is not known yet, and decides about the request.
    ///
    /// It may wait for the keys of the token's issuer.
    func decideUnverified(token: Substring?, cost: Int64, bodyBytes: Int?) async throws -> Decision {
        guard let endUsers, let token else { return .refused(.unauthorized) }
        let text = String(token)
        let caller = try await endUsers.verify(text)
        return admission(ofEndUser: caller, cost: cost + Int64(bodyBytes ?? 0) / Gate.bytesPerRequest)
    }

    /// The executor on whose threads tokens are verified; nil if no app accepts tokens of end users.
    var tokenExecutor: BoundedExecutor? { endUsers?.executor }

    /// Decides about a request of a user who is signed in to the console.
    ///
    /// - Parameter certificate: the expiry of the client's certificate; nil if the client presented none.
    func decide(_ permission: Permission, signedIn caller: Caller, certificate: Instant? = nil) -> Decision {
        guard !lacksCertificate(caller.role, { certificate }) else { return .refused(.certificateNeeded, caller) }
        let rate = admit(caller, cost: 1)
        guard rate.isAllowed else { return .refused(.rateLimited(seconds: rate.retryAfterSeconds), caller, rate) }
        guard caller.role.may(permission) else { return .refused(.forbidden(permission, to: caller.role), caller, rate) }
        return .admitted(Admission(caller: caller, rate: rate))
    }

    /// Whether any role needs a client certificate.
    var asksForCertificates: Bool { !policy.certificateRoles.isEmpty }

    /// Whether a role needs a client certificate and the connection has no valid one. That is so if the client presented none, or
    /// if its certificate has expired since the handshake.
    ///
    /// - Parameter certificate: returns the expiry of the client's certificate; nil if the client presented none.
    func lacksCertificate(_ role: Role, _ certificate: () -> Instant?) -> Bool {
        guard policy.certificateRoles.contains(role) else { return false }
        guard let expiry = certificate() else { return true }
        return expiry <= system.now()
    }

    /// Looks in the store for access keys that are not in memory yet.
    func refreshForUnknownKey() async throws { try await directory.refreshForUnknownKey() }

    /// Whether the state in memory is recent enough to answer requests from it.
    ///
    /// If it is not, call `catchUp` first.
    var isCurrent: Bool { changes.isCurrent }

    /// Waits until the state in memory is up to date with the store.
    ///
    /// Throws if the store cannot be read.
    func catchUp() async throws { try await changes.catchUp() }

    /// Throws if the caller's access key was revoked or has expired since the head of the request arrived.
    ///
    /// That may be a while ago, because a client can send the body slowly.
    func confirm(_ caller: Caller, for access: OperationAccess) throws(Problem) {
        guard !access.isOpen, caller.endUser == nil else { return }
        guard let now = directory.caller(id: caller.id), now.isAdmitted(at: system.now()) else { throw .unauthorized }
    }

    /// Counts a body for the caller's rate, if the head of the request did not state its length. Returns nil if the body is too
    /// short to count.
    func charge(_ admission: Admission, bytes: Int) -> RateLimit.Decision? {
        charge(admission, requests: Int64(bytes) / Gate.bytesPerRequest)
    }

    /// Counts for the caller's rate what a request costs more than an ordinary one. Returns nil if it costs no more.
    func charge(_ admission: Admission, requests cost: Int64) -> RateLimit.Decision? {
        guard cost > 0, admission.rate != nil else { return nil }
        // The request was already counted as an ordinary one. Now it is refused only if the caller has overdrawn its rate since.
        return admit(admission.caller, cost: cost, needed: 0)
    }

    /// Returns the app of an admitted request.
    ///
    /// Throws if the operation is not about an app, or if the caller may not act for the app.
    ///
    /// - Parameter name: the app's bundle id in the request or in its path.
    func app(_ scope: AppScope, named name: String?, for caller: Caller) throws -> App {
        switch scope {
        case .none: throw Problem.forbidden("this operation is not about an app")
        case .named: try apps.app(named: name, for: caller)
        case .inPath: try apps.app(name ?? "")
        }
    }

    private func admit(_ caller: Caller, cost: Int64, needed: Int64? = nil) -> RateLimit.Decision {
        let rates = policy.rates.current
        return (caller.endUser == nil ? rates.accessKeys : rates.endUsers).admit(
            caller.rate, now: Int64(NIODeadline.now().uptimeNanoseconds), cost: cost, needed: needed, replicas: replicas.value)
    }

    /// Returns the headers that report to a caller how much of its rate is left (draft-ietf-httpapi-ratelimit-headers).
    func headers(_ rate: RateLimit.Decision) -> [HeaderLine] {
        let state = JSONWriter.text { text in
            text.append(raw: #""default";r="#)
            text.append(rate.remaining)
            text.append(raw: ";t=")
            text.append(rate.resetSeconds)
        }
        return [HeaderLine(name: "RateLimit", value: state), policy.rates.current.line(rate.limit)]
    }
}

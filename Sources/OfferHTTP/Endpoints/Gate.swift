import EligibilityRules
import Glibc
import NIOCore
import OfferService

/// Who may come in, and how often: the same checks for every operation.
struct Gate: Sendable {
    /// A caller who has been let in.
    struct Admission {
        let caller: Caller
        /// Nil where no rate is kept.
        let rate: RateLimit.Verdict?
    }

    /// What a look at the token and the rate came to.
    enum Decision {
        case admitted(Admission)
        /// The caller is known if the token's secret is right, and the rate if the token is good.
        case refused(Problem, Caller? = nil, RateLimit.Verdict? = nil)
        /// The key's id is not in memory; it may have been made a moment ago.
        case unknownKey
    }

    /// Bytes of a body that count as another request: reading a large one takes its time.
    private static let bytesPerRequest: Int64 = 16 * 1024

    let directory: AccessDirectory
    let system: SystemEnvironment
    private let rateLimit: RateLimit
    private let policy: HeaderLine

    init(directory: AccessDirectory, rateLimit: RateLimit, system: SystemEnvironment) {
        self.directory = directory
        self.system = system
        self.rateLimit = rateLimit
        policy = HeaderLine(
            name: "RateLimit-Policy", value: "\"default\";q=\(rateLimit.burst);w=\(rateLimit.windowSeconds)")
    }

    /// Decides about one request by its head; what its body will cost is taken from the rate as far as the head says it.
    func decide(_ request: IncomingRequest) -> Decision {
        let endpoint = request.match.endpoint
        guard let permission = endpoint.permission else {
            return .admitted(Admission(caller: .appStore, rate: nil))
        }
        guard let text = request.fields.bearerToken, let token = AccessToken(text) else { return .refused(.unauthorized) }
        guard let caller = directory.caller(id: token.id) else { return .unknownKey }
        guard caller.isRight(token) else { return .refused(.unauthorized) }
        guard caller.isAdmitted(at: system.now()) else { return .refused(.unauthorized, caller) }
        let size = Int64(request.fields.contentLength ?? 0)
        let rate = admit(caller, cost: endpoint.cost + size / Gate.bytesPerRequest)
        guard rate.isAllowed else { return .refused(.rateLimited(seconds: rate.retryAfterSeconds), caller, rate) }
        guard caller.role.may(permission) else {
            return .refused(.forbidden(permission, to: caller.role), caller, rate)
        }
        return .admitted(Admission(caller: caller, rate: rate))
    }

    /// Takes from the rate what a body of unannounced length costs; nil if that is nothing.
    func charge(_ admission: Admission, bytes: Int) -> RateLimit.Verdict? {
        let cost = Int64(bytes) / Gate.bytesPerRequest
        guard cost > 0, admission.rate != nil else { return nil }
        // It was let in as a small one; only who owes something already is refused.
        return admit(admission.caller, cost: cost, needed: 0)
    }

    private func admit(_ caller: Caller, cost: Int64, needed: Int64? = nil) -> RateLimit.Verdict {
        rateLimit.admit(caller.rate, now: Int64(NIODeadline.now().uptimeNanoseconds), cost: cost, needed: needed)
    }

    /// The headers that tell a caller of its rate (draft-ietf-httpapi-ratelimit-headers).
    func headers(_ rate: RateLimit.Verdict) -> [HeaderLine] {
        [HeaderLine(name: "RateLimit", value: "\"default\";r=\(rate.remaining);t=\(rate.resetSeconds)"), policy]
    }
}

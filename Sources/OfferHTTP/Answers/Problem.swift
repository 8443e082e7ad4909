import NIOHTTP1
import OfferService

/// An error as the caller sees it (RFC 9457).
struct Problem: Error, Equatable {
    let status: HTTPResponseStatus
    /// The stable code, which is also the last part of the problem's type URI.
    let code: String
    let title: String
    /// What is wrong and what to do about it.
    var detail: String
    var fields: [FieldFault] = []
    var headers: [HeaderLine] = []
    /// The cause, for operators.
    ///
    /// It is written to the log, and never sent to callers.
    var cause: String?
    /// The failure that caused the problem, which is reported to operators; nil if nothing failed.
    var failure: Failure?
}

// Problems that are not caused by an error of a use case, and problems that several places answer.
extension Problem {
    init(
        _ status: HTTPResponseStatus,
        _ code: String,
        _ title: String,
        _ detail: String,
        fields: [FieldFault] = [],
        headers: [HeaderLine] = []
    ) {
        self.init(status: status, code: code, title: title, detail: detail, fields: fields, headers: headers)
    }

    static let unauthorized = Problem(
        .unauthorized,
        "unauthorized",
        "Not authenticated",
        "send Authorization: Bearer with an access key that is neither expired nor revoked",
        headers: [HeaderLine(name: "WWW-Authenticate", value: #"Bearer realm="offersigner""#)]
    )

    static var certificateNeeded: Problem {
        var problem = Problem.unauthorized
        problem.detail =
            "this access key needs a connection with a valid client certificate (mutual TLS)"
        problem.cause = "no valid client certificate"
        return problem
    }

    static var accessKeyNeeded: Problem {
        var problem = Problem.unauthorized
        problem.detail = "this operation is not for tokens of end users; send Authorization: Bearer with an access key"
        return problem
    }

    static let malformedRequest = Problem(
        .badRequest, "malformed-request", "Malformed request",
        "this is not an HTTP/1.1 request, its head is too long, or it does not have exactly one Host")

    static let codingUnknown = Problem(
        .notImplemented, "transfer-coding-unknown", "Transfer coding unknown",
        "a body needs Content-Length or Transfer-Encoding: chunked")

    static let overloaded = Problem(
        IssueError.notReady("requests of this caller wait for more than half a second; send fewer at once", of: .load))

    static let noRoomForBody = Problem(IssueError.notReady("too many large requests at once", of: .load))

    static func forbidden(_ permission: Permission, to role: Role, what: String = "do this") -> Problem {
        let roles = Role.allCases.filter { $0.may(permission) }.map(\.rawValue).joined(separator: ", ")
        return .forbidden("the role \(role.rawValue) may not \(what); those that may: \(roles)")
    }

    static func forbidden(_ detail: String) -> Problem { Problem(.forbidden, "forbidden", "Not allowed", detail) }

    /// Returns the problem for a caller who has tried to change something that another user has changed first.
    ///
    /// - Parameter detail: says what the other user has done, and what the caller can do now.
    static func changedMeanwhile(_ detail: String) -> Problem {
        Problem(.preconditionFailed, "changed-meanwhile", "Changed meanwhile", detail)
    }

    static func campaignExists(_ name: CampaignName) -> Problem {
        let detail = "\(name.bundleID) has a campaign \(name.id) already; give this one another id, or change that one"
        return Problem(.conflict, "campaign-exists", "Campaign exists", detail)
    }

    static let versionMissing = Problem(
        .preconditionRequired, "precondition-required", "Precondition required",
        "the request has no If-Match; send the ETag of your last answer, or * for any version")

    static let notFound = Problem(
        .notFound, "not-found", "No such resource", "nothing is served under this path; see /openapi.json")

    static let noSuchPage = Problem(.notFound, "not-found", "No such page", "no page of the console has this address")

    static func methodNotAllowed(allow: String) -> Problem {
        Problem(
            .methodNotAllowed,
            "method-not-allowed",
            "Method not allowed",
            "this path accepts \(allow) only",
            headers: [HeaderLine(name: "Allow", value: allow)]
        )
    }

    static func bodyTooLarge(limit: Int) -> Problem {
        Problem(.payloadTooLarge, "body-too-large", "Body too large", "this path accepts bodies of up to \(limit) bytes")
    }

    static func rateLimited(seconds: Int64, whose: String = "this access key") -> Problem {
        Problem(
            .tooManyRequests,
            "rate-limited",
            "Too many requests",
            "\(whose) has used up its rate; wait \(seconds) s",
            headers: [HeaderLine(name: "Retry-After", value: "\(seconds)")]
        )
    }

    static func notReady(_ detail: String) -> Problem {
        Problem(
            .serviceUnavailable,
            "not-ready",
            "Not ready",
            detail,
            headers: [HeaderLine(name: "Retry-After", value: "1")]
        )
    }

    static let stopping = notReady("the service is stopping; send the request again, on another connection")

    static let internalError = Problem(
        .internalServerError, "internal-error", "Internal error", "the service failed; report the requestId")
}

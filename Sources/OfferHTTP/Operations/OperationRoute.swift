import EligibilityRules
import HTTPTypes
import Hummingbird
import NIOHTTP1
import OfferService

/// An operation that Hummingbird routes, behind the same gate as the operations on the event loop.
///
/// A route must declare its access, so it is impossible to add a route without access control by mistake.
struct OperationRoute: Sendable {
    /// The path, with `{name}` for a parameter.
    let path: String
    var method = HTTPRequest.Method.get
    let access: OperationAccess
    /// The members that a JSON body may have.
    var fields: [String] = []
    /// The names that the query may have; nil if `respond` itself reads the query and checks its names.
    var queryNames: [String]?
    /// The largest body that is read, in bytes; 0 if no body is read.
    var maxBodySize = 0
    /// Whether the body holds a private key, of which no copy must stay in memory.
    var bodyIsSecret = false
    /// Whether the operation is cancelled when the client closes the connection.
    ///
    /// Set it for slow operations that change nothing.
    var endsWithClient = false
    /// Renders problems as pages; nil if they are answered as problem documents.
    var pages: (any ProblemPages)?
    /// Answers a form that was sent without a session, for example because the session has ended meanwhile.
    ///
    /// It receives the form's body, if the body was read already. If this is nil, or returns nil, the answer is a redirect to the
    /// sign-in page, as for any other request.
    var signedOut: (@Sendable (Request, ProxiedPerson?, [UInt8]?) async throws -> Response?)?
    /// Answers an admitted caller.
    let respond: @Sendable (OperationRequest) async throws -> Response

}

extension OperationRoute {
    /// Creates the route of a declared operation.
    init(
        _ operation: Operation,
        bodyIsSecret: Bool = false,
        endsWithClient: Bool = false,
        respond: @escaping @Sendable (OperationRequest) async throws -> Response
    ) {
        self.init(
            path: operation.path, method: HTTPRequest.Method(operation.method), access: operation.access,
            fields: operation.fields, queryNames: operation.queryNames, maxBodySize: operation.bodySize,
            bodyIsSecret: bodyIsSecret, endsWithClient: endsWithClient, respond: respond)
    }

    /// Adds the route, behind the gate.
    ///
    /// - Parameter lists: runs the operations that are not urgent.
    func add(to router: Router<OperationContext>, _ gate: Gate, lists: BoundedExecutor) {
        let routed = path.replacing("{", with: ":").replacing("}", with: "")
        router.on(RouterPath(routed), method: method) { request, context in
            context.visit.enter(path)
            var visitor: ConsoleVisitor?
            var body: [UInt8]?
            let certificate = gate.asksForCertificates ? await context.clientCertificateExpiry() : nil
            // The sign-in proxy's header signs users in to pages only. The API ignores it.
            let person = pages.flatMap { _ in gate.console?.person(in: request.headers, from: context.peer) }
            do {
                if case .session = access { visitor = try await gate.visitor(request, person: person) }
                let admission = try await admission(of: request, visitor, certificate, context.visit, gate)
                let operation = try await OperationRequest(
                    request, context, to: self, admission, visitor: visitor, person: person, certificate: certificate, gate)
                body = operation.body
                // An operation that is open to any client need not wait until the state in memory is up to date. Probes do not
                // depend on that state, and a sign-in reads the store itself.
                if !access.isOpen { try await gate.catchUp() }
                try gate.confirm(admission.caller, for: access)
                // The client may have sent the form slowly, and the session may have ended meanwhile, so it is checked again.
                if maxBodySize > 0, visitor != nil, try await gate.visitor(request, person: person) == nil {
                    throw Problem.unauthorized
                }
                let asked = try queryNames.map(operation.read(queryOf:)) ?? operation
                guard !access.isUrgent else { return try await respond(asked) }
                let answer = { @Sendable in try await lists.run { try await respond(asked) } }
                var response = endsWithClient ? try await context.whileConnected(answer) : try await answer()
                response.body = response.body.written(on: lists)
                return response
            } catch {
                guard let pages else { throw error }
                let problem = Problem(error)
                let kept = problem.status == .unauthorized ? try await signedOut?(request, person, body) : nil
                throw ProblemPage(
                    problem: problem,
                    response: kept ?? pages.page(of: problem, request, requestID: context.visit.requestID, for: visitor))
            }
        }
    }

    /// Whether a path matches this route.
    func matches(_ other: String) -> Bool {
        let (own, asked) = (path.split(separator: "/"), other.split(separator: "/"))
        return own.count == asked.count && zip(own, asked).allSatisfy { $0 == $1 || $0.hasPrefix("{") }
    }

    /// Counts for the caller's rate what a request costs more than an ordinary one.
    ///
    /// Throws if the rate is used up.
    func charge(_ admission: Gate.Admission, requests: Int64, _ visit: OperationContext.Visit, _ gate: Gate) throws {
        guard let rate = gate.charge(admission, requests: requests) else { return }
        visit.enter(path, Gate.Admission(caller: admission.caller, rate: rate))
        guard rate.isAllowed else { throw Problem.rateLimited(seconds: rate.retryAfterSeconds) }
    }

    private func admission(
        of request: Request,
        _ visitor: ConsoleVisitor?,
        _ certificate: Instant?,
        _ visit: OperationContext.Visit,
        _ gate: Gate
    ) async throws -> Gate.Admission {
        let token = request.headers[.authorization].flatMap(RequestHead.bearerToken)
        let length = request.headers[.contentLength].flatMap(Int.init)
        func decide() -> Gate.Decision {
            guard case .session(let permission) = access, let visitor else {
                return gate.decide(access, token: token, cost: 1, bodyBytes: length, certificate: { certificate })
            }
            return gate.decide(permission, signedIn: visitor.caller, certificate: certificate)
        }
        var decision = decide()
        if case .unknownKey = decision {
            try await gate.refreshForUnknownKey()
            decision = decide()
        } else if case .unverifiedToken = decision {
            decision = try await gate.decideUnverified(token: token, cost: 1, bodyBytes: length)
        }
        switch decision {
        case .admitted(let admission):
            if !access.isOpen { visit.enter(path, admission) }
            return admission
        case .refused(let problem, let caller, let rate):
            if let caller { visit.enter(path, Gate.Admission(caller: caller, rate: rate)) }
            throw problem
        case .unknownKey, .unverifiedToken: throw Problem.unauthorized
        }
    }
}

extension ResponseBody {
    /// Returns the body in such a way that the executor's threads produce it, if it is produced while it is written.
    ///
    /// Such a body has no known length. A body of known length is returned unchanged.
    fileprivate func written(on executor: BoundedExecutor) -> ResponseBody {
        guard contentLength == nil else { return self }
        return ResponseBody { writer in
            // From here on only the executor's threads use the writer.
            nonisolated(unsafe) let writer = writer
            try await withTaskExecutorPreference(executor) { try await self.write(writer) }
        }
    }
}

/// A problem, with the page that answers it.
struct ProblemPage: Error {
    let problem: Problem
    let response: Response
}

/// Renders problems as pages.
protocol ProblemPages: Sendable {
    /// Returns the page that shows a problem.
    ///
    /// - Parameter visitor: the user who is signed in; nil if none is.
    func page(of problem: Problem, _ request: Request, requestID: String, for visitor: ConsoleVisitor?) -> Response
}

extension HTTPRequest.Method {
    fileprivate init(_ method: Operation.Method) {
        switch method {
        case .get: self = .get
        case .post: self = .post
        case .put: self = .put
        case .delete: self = .delete
        }
    }
}

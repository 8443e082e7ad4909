import NIOCore
import NIOHTTP1
import OfferService
import Synchronization

/// The operations that are answered on the event loop, and what all of them have in common: admission, rates, errors and logging.
final class EndpointService: Sendable {
    // In bytes. Parsing a body of this size takes a fraction of a millisecond, whatever it contains. Larger bodies are parsed on
    // other threads, so that they do not hold up the event loop.
    private static let parsedOnLoop = 16 * 1024

    private let endpoints: EndpointDirectory
    private let passedBodies: @Sendable (HTTPRequestHead) -> PassedBody
    private let gate: Gate
    private let observer: any RequestObserver
    private let budget: BodyBudget
    private let draining = Atomic(false)
    /// The limit on how fast the bodies of refused requests are read and discarded.
    let discardBudget = DiscardBudget()

    /// - Parameter passedBodies: for a request that is forwarded, returns how much of its body later handlers need.
    init(
        endpoints: [any Endpoint],
        gate: Gate,
        budget: BodyBudget,
        observer: any RequestObserver,
        passedBodies: @escaping @Sendable (HTTPRequestHead) -> PassedBody = { _ in PassedBody() }
    ) {
        self.endpoints = EndpointDirectory(endpoints)
        self.passedBodies = passedBodies
        self.gate = gate
        self.budget = budget
        self.observer = observer
    }

    /// Whether the service is about to stop.
    ///
    /// Each connection then ends with its next answer.
    var isDraining: Bool { draining.load(ordering: .relaxed) }

    func startDraining() { draining.store(true, ordering: .relaxed) }

    /// Returns how much of the body is forwarded, for a request that is not for one of the endpoints.
    ///
    /// It is one byte more than the route accepts, so that the route notices if a body is too large.
    func passedBody(_ head: HTTPRequestHead) -> PassedBody {
        var body = passedBodies(head)
        if body.maxSize > 0 { body.maxSize += 1 }
        return body
    }

    /// Returns the share of the memory budget for a forwarded body.
    ///
    /// Such a body counts as sent by an unauthenticated client, because only a later handler identifies the caller.
    func passedShare() -> BodyShare { BodyShare(of: budget, isUnauthenticated: true) }

    /// Returns a request for one of the operations; nil if there is no operation at its path.
    func request(_ head: HTTPRequestHead, _ fields: RequestHead, from address: String?, start: NIODeadline) -> IncomingRequest? {
        guard let match = endpoints.match(head.uri) else { return nil }
        let client = address.map { gate.policy.proxies.client(peer: $0, forwardedFor: head.headers["x-forwarded-for"]) }
        return IncomingRequest(head: head, fields: fields, match: match, address: client, start: start, budget: budget)
    }

    /// Decides from the head alone whether the service will read the request's body.
    func judge(_ request: IncomingRequest, on channel: any Channel) -> Gate.Decision {
        if request.isTooLarge { return .refused(.bodyTooLarge(limit: request.match.operation.bodySize)) }
        let method = request.match.operation.endpointMethod
        guard method.takes(request.head.method) else {
            return .refused(.methodNotAllowed(allow: method.allow))
        }
        return check(decide(request, channel), request)
    }

    /// Verifies the token of a request on another thread, and then decides about the request.
    ///
    /// It calls `reply` on the lane's event loop.
    func judgeUnverified(_ request: IncomingRequest, lane: StoreLane, reply: @escaping (Gate.Decision) -> Void) {
        guard let executor = gate.tokenExecutor, let authorization = request.fields.authorization else {
            return reply(.refused(.unauthorized))
        }
        let (cost, size) = (request.match.endpoint.cost, request.fields.contentLength)
        lane.perform(
            on: executor,
            { [gate] in
                try await gate.decideUnverified(token: RequestHead.bearerToken(authorization), cost: cost, bodyBytes: size)
            }
        ) { [self] result in
            switch result {
            case .success(let decision): reply(check(decision, request))
            case .failure(let error): reply(.refused(Problem(error)))
            }
        }
    }

    /// Looks in the store for an access key that is not in memory yet, and then decides about the request once more.
    ///
    /// It calls `reply` on the lane's event loop.
    func judgeAgain(
        _ request: IncomingRequest,
        on channel: any Channel,
        lane: StoreLane,
        reply: @escaping (Gate.Decision) -> Void
    ) {
        lane.perform({ [gate] in try await gate.refreshForUnknownKey() }) { [self] result in
            switch result {
            case .failure(let error): reply(.refused(Problem(error)))
            case .success:
                let decision = decide(request, channel)
                if case .unknownKey = decision { reply(.refused(.unauthorized)) } else { reply(check(decision, request)) }
            }
        }
    }

    private func decide(_ request: IncomingRequest, _ channel: any Channel) -> Gate.Decision {
        let endpoint = request.match.endpoint
        return gate.decide(
            request.match.operation.access, token: request.fields.bearerToken, cost: endpoint.cost,
            bodyBytes: request.fields.contentLength,
            certificate: { channel.clientCertificateExpiry })
    }

    private func check(_ decision: Gate.Decision, _ request: IncomingRequest) -> Gate.Decision {
        guard case .admitted(let admission) = decision else { return decision }
        do {
            let endpoint = request.match.endpoint
            if endpoint.app.isInPath {
                _ = try gate.app(.inPath, named: request.match.parameter, for: admission.caller)
            }
            try endpoint.check()
            return decision
        } catch {
            return .refused(Problem(error), admission.caller, admission.rate)
        }
    }

    /// Runs the operation for an admitted request whose body has arrived.
    ///
    /// It calls `finish` once, on the lane's event loop.
    ///
    /// If the process was suspended or cut off from its store for a while, it first reads what has changed in the store
    /// meanwhile.
    func perform(
        _ request: IncomingRequest,
        _ admission: Gate.Admission,
        lane: StoreLane,
        finish: @escaping (Answer, Caller?, Problem?) -> Void
    ) {
        guard request.match.endpoint.dependsOnStore, !gate.isCurrent else {
            return performCurrently(request, admission, lane: lane, finish: finish)
        }
        lane.perform({ [gate] in try await gate.catchUp() }) { [self] result in
            switch result {
            case .success: performCurrently(request, admission, lane: lane, finish: finish)
            case .failure(let error):
                finish(answer(Problem(error), to: request, admission.rate), admission.caller, Problem(error))
            }
        }
    }

    private func performCurrently(
        _ request: IncomingRequest,
        _ admission: Gate.Admission,
        lane: StoreLane,
        finish: @escaping (Answer, Caller?, Problem?) -> Void
    ) {
        do throws(Problem) { try gate.confirm(admission.caller, for: request.match.operation.access) } catch {
            return finish(answer(error, to: request, admission.rate), admission.caller, error)
        }
        let (endpoint, size) = (request.match.endpoint, request.body?.readableBytes ?? 0)
        var rate = admission.rate
        if request.fields.contentLength == nil, let decision = gate.charge(admission, bytes: size) {
            guard decision.isAllowed else {
                let problem = Problem.rateLimited(seconds: decision.retryAfterSeconds)
                return finish(answer(problem, to: request, decision), admission.caller, problem)
            }
            rate = decision
        }
        let exchange = Exchange(request, caller: admission.caller, gate: gate, lane: lane) { [gate, rate] result in
            var (answer, problem) = EndpointService.answer(result, requestID: request.requestID)
            if let rate { answer.headers += gate.headers(rate) }
            finish(answer, request.match.operation.access.isOpen ? nil : admission.caller, problem)
        }
        guard endpoint.readsJSON, size > EndpointService.parsedOnLoop else { return endpoint.respond(to: exchange) }
        exchange.parse { endpoint.respond(to: exchange) }
    }

    /// Returns the answer to a refused request.
    func answer(_ problem: Problem, to request: IncomingRequest, _ rate: RateLimit.Decision? = nil) -> Answer {
        var answer = Answer.problem(problem, requestID: request.requestID)
        if let rate { answer.headers += gate.headers(rate) }
        return answer
    }

    /// Logs and counts a finished request.
    func didFinish(_ summary: RequestSummary) { observer.didFinish(summary) }

    private static func answer(_ result: Result<Answer, any Error>, requestID: String) -> (Answer, Problem?) {
        switch result {
        case .success(let answer): return (answer, nil)
        case .failure(let error):
            let problem = Problem(error)
            return (.problem(problem, requestID: requestID), problem)
        }
    }
}

import HTTPTypes
import Hummingbird
import OfferService

/// An operation that Hummingbird routes. It is behind the same gate as the API's: the only way to add a route is to declare who may call it.
struct OperationRoute: Sendable {
    /// As Hummingbird has it: `:name` for a parameter.
    let path: String
    var method = HTTPRequest.Method.get
    let access: OperationAccess
    /// Answers a caller who was let in.
    let respond: @Sendable (Request, Caller) async throws -> Response

    /// Adds it, behind the gate.
    func add(to router: Router<OperationContext>, _ gate: Gate) {
        router.on(RouterPath(path), method: method) { request, context in
            context.visit.enter(path)
            let admission = try await admission(of: request, context.visit, gate)
            return try await respond(request, admission.caller)
        }
    }

    private func admission(
        of request: Request,
        _ visit: OperationContext.Visit,
        _ gate: Gate
    ) async throws -> Gate.Admission {
        let token = request.headers[.authorization].flatMap(RequestHead.bearerToken)
        let length = request.headers[.contentLength].flatMap(Int.init)
        func decide() -> Gate.Decision { gate.decide(access, token: token, cost: 1, bodyBytes: length) }
        var decision = decide()
        if case .unknownKey = decision {
            try await gate.refreshForUnknownKey()
            decision = decide()
        }
        switch decision {
        case .admitted(let admission):
            if !access.isOpen { visit.enter(path, admission) }
            return admission
        case .refused(let problem, let caller, let rate):
            if let caller { visit.enter(path, Gate.Admission(caller: caller, rate: rate)) }
            throw problem
        case .unknownKey: throw Problem.unauthorized
        }
    }
}

import NIOCore
import NIOHTTP1
import Synchronization

/// The API's operations and everything that happens around each of them.
final class EndpointService: Sendable {
    private let endpoints: EndpointDirectory
    private let gate: Gate
    private let observer: any RequestObserver
    private let draining = Atomic(false)

    init(endpoints: [any Endpoint], gate: Gate, observer: any RequestObserver) {
        self.endpoints = EndpointDirectory(endpoints)
        self.gate = gate
        self.observer = observer
    }

    /// True once the service is about to stop: every answer is then the last of its connection.
    var isDraining: Bool { draining.load(ordering: .relaxed) }

    func startDraining() { draining.store(true, ordering: .relaxed) }

    /// The operation at a URI; its query is not looked at.
    func endpoint(_ uri: String) -> EndpointDirectory.Match? { endpoints.match(uri) }

    /// Checks the caller and runs the operation; `finish` is called once, on the lane's loop.
    func perform(_ request: IncomingRequest, lane: StoreLane, finish: @escaping (Answer, Caller?, Problem?) -> Void) {
        guard request.head.method == .POST else {
            let problem = Problem.methodNotAllowed(allow: "POST")
            return finish(.problem(problem, requestID: request.requestID), nil, problem)
        }
        let endpoint = request.match.endpoint
        let settle = { [gate] (decision: Gate.Decision) in
            switch decision {
            case .admitted(let admission):
                let exchange = Exchange(request, caller: admission.caller, lane: lane) { result in
                    var (answer, problem) = EndpointService.answer(result, requestID: request.requestID)
                    if let rate = admission.rate { answer.headers += gate.headers(rate) }
                    finish(answer, endpoint.permission == nil ? nil : admission.caller, problem)
                }
                endpoint.respond(to: exchange)
            case .refused(let problem, let caller, let rate):
                var answer = Answer.problem(problem, requestID: request.requestID)
                if let rate { answer.headers += gate.headers(rate) }
                finish(answer, caller, problem)
            case .unknownKey:
                finish(.problem(.unauthorized, requestID: request.requestID), nil, .unauthorized)
            }
        }
        let decision = gate.decide(request)
        guard case .unknownKey = decision else { return settle(decision) }
        lane.perform({ [gate] in try await gate.directory.refreshForUnknownKey() }) { [gate] result in
            switch result {
            case .success: settle(gate.decide(request))
            case .failure(let error): settle(.refused(Problem(error)))
            }
        }
    }

    /// Logs and counts a finished request.
    func didFinish(_ record: RequestRecord) { observer.didFinish(record) }

    private static func answer(_ result: Result<Answer, any Error>, requestID: String) -> (Answer, Problem?) {
        switch result {
        case .success(let answer): return (answer, nil)
        case .failure(let error):
            let problem = Problem(error)
            return (.problem(problem, requestID: requestID), problem)
        }
    }
}

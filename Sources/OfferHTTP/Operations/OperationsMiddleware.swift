import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import OfferService

/// Gives each request that Hummingbird routes an id, answers errors as problems, and reports every request to the log and the
/// metrics.
struct OperationsMiddleware: RouterMiddleware {
    typealias Context = OperationContext

    let observer: any RequestObserver
    let gate: Gate
    /// All routes.
    ///
    /// They are needed to answer a request 405 if there is a route at its path, but not for its method.
    let routes: [OperationRoute]

    func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let start = NIODeadline.now()
        let requestID = request.headers[.requestID].flatMap(RequestID.accepted) ?? RequestID.make()
        context.visit.begin(requestID)
        var problem: Problem?
        var response: Response
        do {
            response = try await next(request, context)
        } catch {
            let page = error as? ProblemPage
            let found = page?.problem ?? self.problem(error, request)
            problem = found
            if let page {
                response = page.response
            } else if let page = await missingPage(found, request, context) {
                response = page
            } else {
                response = Response(Answer.problem(found, requestID: requestID))
            }
        }
        let visit = context.visit.current
        response.headers[.requestID] = requestID
        if let rate = visit?.admission?.rate {
            for line in gate.headers(rate) { response.headers[HTTPField.Name(line.name)!] = line.value }
        }
        if request.method == .head { response = response.createHeadResponse() }
        observer.didFinish(
            RequestSummary(
                requestID: requestID,
                method: request.method.rawValue,
                route: visit?.route ?? routes.first { $0.matches(request.uri.path) }?.path ?? "other",
                status: UInt(response.status.code),
                caller: visit?.admission?.caller.id,
                problem: problem?.code,
                reason: problem?.cause,
                duration: .now() - start,
                failure: problem?.failure
            )
        )
        return response
    }

    /// Returns the console's page for an unknown address below `/console/`; nil for a client that does not accept HTML.
    private func missingPage(_ problem: Problem, _ request: Request, _ context: Context) async -> Response? {
        guard problem.status == .notFound, request.uri.path.hasPrefix("/console/"),
            request.headers[.accept]?.contains("text/html") == true,
            let pages = routes.lazy.compactMap(\.pages).first
        else { return nil }
        let person = gate.console?.person(in: request.headers, from: context.peer)
        let visitor = try? await gate.visitor(request, person: person)
        return pages.page(of: .noSuchPage, request, requestID: context.visit.requestID, for: visitor)
    }

    private func problem(_ error: any Error, _ request: Request) -> Problem {
        guard let error = error as? any HTTPResponseError, error.status == .notFound else { return Problem(error) }
        let matching = routes.filter { $0.matches(request.uri.path) }
        // As in routing, a path without a parameter takes precedence over one with a parameter.
        let named = matching.filter { !$0.path.contains("{") }
        let methods = (named.isEmpty ? matching : named).map(\.method)
        guard !methods.isEmpty else { return .notFound }
        let allowed = methods.map(\.rawValue) + (methods.contains(.get) ? ["HEAD"] : [])
        return .methodNotAllowed(allow: allowed.joined(separator: ", "))
    }
}

extension Response {
    fileprivate init(_ answer: Answer) {
        var headers: HTTPFields = [.contentType: answer.contentType]
        for line in answer.headers { headers[HTTPField.Name(line.name)!] = line.value }
        self.init(
            status: HTTPResponse.Status(code: Int(answer.status.code)),
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body)))
    }
}

extension HTTPField.Name {
    fileprivate static let requestID = HTTPField.Name("X-Request-Id")!
}

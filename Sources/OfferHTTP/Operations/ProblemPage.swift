import Hummingbird
import OfferService

/// A problem that is answered as a page.
struct ProblemPage: Error {
    let problem: Problem
    let response: Response
}

/// Renders problems as pages.
protocol ProblemPages: Sendable {
    /// - Parameter visitor: the user who is signed in; nil: none.
    func page(of problem: Problem, _ request: Request, requestID: String, for visitor: ConsoleVisitor?) -> Response
}

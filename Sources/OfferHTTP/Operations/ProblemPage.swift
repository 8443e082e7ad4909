import Hummingbird
import OfferService

/// A problem that is answered as a page.
struct ProblemPage: Error {
    let problem: Problem
    let response: Response
}

/// Makes pages of problems.
protocol ProblemPages: Sendable {
    /// - Parameter visitor: who is signed in; nil: nobody is.
    func page(of problem: Problem, _ request: Request, requestID: String, for visitor: ConsoleVisitor?) -> Response
}

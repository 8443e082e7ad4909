package import NIOCore
import NIOHTTP1
package import OfferService

/// What is remembered of a finished request: one log line, one count, one duration.
package struct RequestSummary {
    package let requestID: String
    package let method: String
    /// The route, never the raw path: it labels metrics.
    package let route: String
    package let status: UInt
    package let caller: String?
    /// The problem's code; nil for an answer that is none.
    package let problem: String?
    /// The cause of a failure of the service's own, for operators; nil otherwise.
    package var reason: String?
    package let duration: TimeAmount
    /// What did not work; nil where everything did.
    package var failure: Failure?

    /// Bytes that were no request, or one that cannot be read.
    static func unreadable(_ problem: Problem, requestID: String) -> RequestSummary {
        RequestSummary(
            requestID: requestID, method: "", route: "other", status: problem.status.code, caller: nil,
            problem: problem.code, duration: .zero)
    }
}

package import NIOCore
import NIOHTTP1
package import OfferService

/// What is known about a finished request.
///
/// From it, one line of the log is written, and the metrics get one count and one duration.
package struct RequestSummary {
    package let requestID: String
    package let method: String
    /// The path as the operation declares it, with `{…}` for parameters, because it is a label of metrics.
    package let route: String
    package let status: UInt
    package let caller: String?
    /// The problem's code; nil if the answer is not a problem.
    package let problem: String?
    /// The cause of an internal failure, for operators; otherwise nil.
    package var reason: String?
    package let duration: TimeAmount
    /// The failure; nil if nothing failed.
    package var failure: Failure?

    /// Returns the summary of bytes that are not a request, or of a request that cannot be read.
    static func unreadable(_ problem: Problem, requestID: String) -> RequestSummary {
        RequestSummary(
            requestID: requestID, method: "", route: "other", status: problem.status.code, caller: nil,
            problem: problem.code, duration: .zero)
    }
}

/// Observes every finished request, for the log and the metrics.
package protocol RequestObserver: Sendable {
    func didFinish(_ summary: RequestSummary)
}

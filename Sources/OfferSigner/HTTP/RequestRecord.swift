import NIOCore
import NIOHTTP1

/// What is remembered of a finished request: one log line, one count, one duration.
struct RequestRecord {
    let requestID: String
    let method: String
    /// The route, never the raw path: it labels metrics.
    let route: String
    let status: UInt
    let caller: String?
    /// The problem's code; nil for an answer that is none.
    let problem: String?
    /// The cause of a failure of the service's own, for operators; nil otherwise.
    var reason: String?
    let duration: TimeAmount
    /// What did not work; nil where everything did.
    var failure: Failure?

    /// Bytes that were no request, or one that cannot be read.
    static func unreadable(_ problem: Problem, requestID: String) -> RequestRecord {
        RequestRecord(
            requestID: requestID, method: "", route: "other", status: problem.status.code, caller: nil,
            problem: problem.code, duration: .zero)
    }
}

import NIOHTTP1
import OfferService

/// An error as the caller sees it (RFC 9457).
struct Problem: Error, Equatable {
    let status: HTTPResponseStatus
    /// Stable; also the last part of the problem's type.
    let code: String
    let title: String
    /// What is wrong and what to do about it.
    var detail: String
    var fields: [FieldFault] = []
    var headers: [HeaderLine] = []
    /// The cause for operators; logged, never sent to callers.
    var cause: String?
    /// The failure behind the problem, if any; reported to operators.
    var failure: Failure?
}

import NIOCore

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
    let duration: TimeAmount
}

import EligibilityRules

/// What an endpoint has answered to an attempt.
package struct EventAnswer: Equatable, Sendable {
    /// What follows from an answer.
    enum Meaning: Equatable, Sendable {
        case success
        /// The endpoint wants no more events, ever.
        case gone
        /// The attempt failed: why, and the instant before which the endpoint wants no other, nil for none.
        case failure(String, notBefore: Instant?)
    }

    private static let longestWait: Int64 = 24 * 3600 * 1000

    /// Nil without an answer.
    let status: Int?
    private let retryAfter: String?
    private let fault: String

    /// - Parameter retryAfter: the header of this name.
    package init(status: Int, retryAfter: String?) {
        self.status = status
        self.retryAfter = retryAfter
        fault = ""
    }

    /// - Parameter fault: why there is no answer, without addresses and without content.
    package init(noAnswer fault: String) {
        status = nil
        retryAfter = nil
        self.fault = fault
    }

    /// What follows from the answer.
    func meaning(at now: Instant) -> Meaning {
        guard let status else { return .failure(fault, notBefore: nil) }
        switch status {
        case 200..<300: return .success
        case 410: return .gone
        case 300..<400: return .failure("answered \(status); redirects are not followed", notBefore: nil)
        case 429, 503: return .failure("answered \(status)", notBefore: Self.instant(retryAfter, at: now))
        default: return .failure("answered \(status)", notBefore: nil)
        }
    }

    /// Reads `Retry-After`: seconds, or a date of RFC 9110; at most a day from now.
    private static func instant(_ text: String?, at now: Instant) -> Instant? {
        guard let text else { return nil }
        let wait = Int64(text).map { min(max(0, $0), longestWait / 1000) * 1000 }
        guard let wait = wait ?? Instant(httpDate: text)?.milliseconds(since: now), wait > 0 else { return nil }
        return now.advanced(by: min(wait, longestWait))
    }
}

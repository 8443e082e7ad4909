public import EligibilityRules

/// Why the App Store gave no usable answer.
///
/// Two errors are equal if their codes are equal. The other properties are for people to read, and say when to ask again.
public struct AppStoreError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A stable name of the cause.
    public enum Code: String, Sendable, CaseIterable {
        /// No connection could be made, or it broke.
        case unreachable = "app-store-unreachable"
        /// The App Store gave no complete answer in time.
        case timedOut = "app-store-timed-out"
        /// The App Store answers that it is unavailable at the moment.
        case unavailable = "app-store-unavailable"
        /// There were too many requests. If it is known when the next request may be sent, `retryAt` says so.
        case rateLimited = "app-store-rate-limited"
        /// The App Store does not accept the token, because the key, the issuer id or the bundle id is wrong.
        case unauthorized = "app-store-unauthorized"
        /// Production does not accept the token but the Sandbox does, because the app was never released.
        case appNotReleased = "app-store-app-not-released"
        /// The App Store does not know the thing that the request names, which is usually a transaction.
        case notFound = "app-store-not-found"
        /// The App Store refuses the request, and would refuse the same request again.
        case rejected = "app-store-rejected"
        /// The App Store's answer is too long, or does not have the form that Apple documents.
        case malformedAnswer = "app-store-malformed-answer"
        /// Nothing was sent, because the App Store has failed several times in a row. The service asks it again from `retryAt`
        /// on.
        case circuitOpen = "app-store-circuit-open"
        /// Nothing was sent, because no token could be made.
        case tokenUnavailable = "app-store-token-unavailable"
        /// The task that made the call was cancelled.
        case cancelled = "app-store-call-cancelled"
    }

    /// The cause.
    public let code: Code
    /// What happened, as a text for logs. It contains no secrets, no bodies, no addresses and no ids.
    public let detail: String
    /// When to ask again; nil if unknown.
    public let retryAt: Instant?
    /// The `errorCode` in Apple's answer, or the `status` in an answer of verifyReceipt; nil if the answer has neither.
    public let appleCode: Int64?
    /// The HTTP status of the App Store's answer; nil if there was none, or if the error sums up several answers.
    var status: Int?
    /// Apple's own message for `appleCode`. It is for the caller only, not for logs, because it may quote what was sent.
    public internal(set) var appleMessage: String?
    /// The time of the answer by the App Store's clock; nil if the answer does not state it.
    public internal(set) var answeredAt: Instant?

    /// - Parameter detail: what happened, as a text for logs. It must contain no secrets, bodies, addresses or ids.
    public init(_ code: Code, _ detail: String, retryAt: Instant? = nil, appleCode: Int64? = nil) {
        self.code = code
        self.detail = detail
        self.retryAt = retryAt
        self.appleCode = appleCode
    }

    /// Compares only the codes.
    public static func == (left: AppStoreError, right: AppStoreError) -> Bool { left.code == right.code }

    /// Code and detail, for logs and terminals.
    public var description: String { "\(code.rawValue): \(detail)" }
}

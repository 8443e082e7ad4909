public import EligibilityRules

/// Why the App Store gave no usable answer.
///
/// Errors are equal if their codes are equal. The other properties inform people, and help to decide when to ask again.
public struct AppStoreError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A stable name of the cause.
    public enum Code: String, Sendable, CaseIterable {
        /// No connection could be made, or it broke.
        case unreachable = "app-store-unreachable"
        /// The App Store gave no complete answer in time.
        case timedOut = "app-store-timed-out"
        /// The App Store answers that it is unavailable at the moment.
        case unavailable = "app-store-unavailable"
        /// There were too many requests; `retryAt` says when the next may be sent.
        case rateLimited = "app-store-rate-limited"
        /// The App Store does not accept the token: key, issuer id or bundle id are wrong.
        case unauthorized = "app-store-unauthorized"
        /// Production does not accept the token but the Sandbox does, because the app was never released.
        case appNotReleased = "app-store-app-not-released"
        /// The App Store does not know the transaction.
        case notFound = "app-store-not-found"
        /// The App Store refuses the request, and will refuse the same request again.
        case rejected = "app-store-rejected"
        /// The App Store's answer is too long, or not what Apple documents.
        case malformedAnswer = "app-store-malformed-answer"
        /// Nothing was sent: the App Store failed so often that it is not asked until `retryAt`.
        case circuitOpen = "app-store-circuit-open"
        /// Nothing was sent, because no token could be made.
        case tokenUnavailable = "app-store-token-unavailable"
        /// The caller gave up.
        case cancelled = "app-store-call-cancelled"
    }

    /// The cause.
    public let code: Code
    /// What happened, without secrets, bodies, addresses or ids.
    public let detail: String
    /// When to ask again; nil if unknown.
    public let retryAt: Instant?
    /// Apple's `errorCode`, or the status of verifyReceipt; nil when there was none.
    public let appleCode: Int64?
    /// The HTTP status of the App Store's answer; nil if there was none, or if the error sums up several answers.
    var status: Int?
    /// Apple's own message for `appleCode`. It is for the caller only, not for logs, because it may quote what was sent.
    public internal(set) var appleMessage: String?
    /// The time of the answer by the App Store's clock; nil if the answer does not state it.
    public internal(set) var answeredAt: Instant?

    /// - Parameter detail: what happened, without secrets, bodies, addresses or ids.
    public init(_ code: Code, _ detail: String, retryAt: Instant? = nil, appleCode: Int64? = nil) {
        self.code = code
        self.detail = detail
        self.retryAt = retryAt
        self.appleCode = appleCode
    }

    /// Equal when the codes are equal.
    public static func == (left: AppStoreError, right: AppStoreError) -> Bool { left.code == right.code }

    /// Code and detail, for logs and terminals.
    public var description: String { "\(code.rawValue): \(detail)" }
}

public import EligibilityRules

/// Why the App Store gave no usable answer.
///
/// Equal when the codes are equal. The rest serves people, and the choice of when to ask again.
public struct AppStoreError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A stable name of the cause.
    public enum Code: String, Sendable, CaseIterable {
        /// No connection, or one that broke.
        case unreachable = "app-store-unreachable"
        /// No complete answer in time.
        case timedOut = "app-store-timed-out"
        /// It answers that it is unavailable at the moment.
        case unavailable = "app-store-unavailable"
        /// Too many requests; `retryAt` says when the next may be sent.
        case rateLimited = "app-store-rate-limited"
        /// It does not accept the token: key, issuer id or bundle id are wrong.
        case unauthorized = "app-store-unauthorized"
        /// Production does not accept the token, and the Sandbox does: the app was never released.
        case appNotReleased = "app-store-app-not-released"
        /// It does not know the transaction.
        case notFound = "app-store-not-found"
        /// It refuses the request; the same request will be refused again.
        case rejected = "app-store-rejected"
        /// Its answer is too long, or not what Apple documents.
        case malformedAnswer = "app-store-malformed-answer"
        /// It failed so often that it is not asked until `retryAt`; nothing was sent.
        case circuitOpen = "app-store-circuit-open"
        /// No token could be made; nothing was sent.
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
    /// The HTTP status of its answer; nil when there was none, or several.
    var status: Int?
    /// Apple's own message for `appleCode`, for the caller only: it may quote what was sent.
    public internal(set) var appleMessage: String?
    /// The App Store's time when it answered; nil when it did not say.
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

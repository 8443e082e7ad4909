public import EligibilityRules

/// The App Store's refund requests with their answers, and the customers' consents to these.
///
/// A request arrives with the `HistoryChange` of its notification, and is deleted together with the notification's content.
public protocol RefundStore: Sendable {
    /// Claims an app's due requests, the longest due first. No other caller gets them before `until`.
    func claim(partition: AppPartition, dueAt now: Instant, until: Instant, limit: Int) async throws(StoreError)
        -> [RefundRecord]

    /// Notes the progress of a request, unless it was settled meanwhile.
    func note(_ progress: RefundProgress, of record: RefundRecord) async throws(StoreError)

    /// An app's requests, the latest first.
    ///
    /// - Parameter transactionIDs: the ids of the purchase concerned; nil for all purchases.
    func requests(partition: AppPartition, transactionIDs: [String]?, limit: Int) async throws(StoreError) -> [RefundRecord]

    /// Stores a customer's consent, or its withdrawal, in place of the present one.
    func state(_ consent: ConsumptionConsent, of customerID: String, partition: AppPartition) async throws(StoreError)

    /// The latest consent under any of a customer's names; nil if none was ever stated.
    ///
    /// If two were stated at the same instant, the withdrawal counts.
    func consent(of names: [String], partition: AppPartition) async throws(StoreError) -> ConsumptionConsent?
}

/// A stored refund request.
public struct RefundRecord: Equatable, Sendable {
    /// The app in an environment.
    public let partition: AppPartition
    /// The App Store's question.
    public let request: RefundRequest
    /// How far the answer has come.
    public let progress: RefundProgress

    /// Stores the given values without checking them.
    public init(partition: AppPartition, request: RefundRequest, progress: RefundProgress) {
        self.partition = partition
        self.request = request
        self.progress = progress
    }
}

/// How far a refund request has come.
public enum RefundState: String, Sendable, CaseIterable {
    /// The service has still to answer it.
    case waiting
    /// The App Store has accepted the answer.
    case answered
    /// The answer was made, but not sent, because the service was only to show what it would send.
    case dryRun = "dry-run"
    /// The service does not answer it; the detail says why.
    case unanswered
    /// The App Store has refused the answer; the detail says why.
    case refused
    /// The App Store could not be reached in time; the detail says why.
    case expired
}

/// How far the answer to a refund request has come.
public struct RefundProgress: Equatable, Sendable {
    /// How far the request has come.
    public var state: RefundState
    /// A stable code of why it is not answered, or why the last attempt failed; nil for none.
    public var detail: String?
    /// The policy that decided; nil if none applied, or if nothing was decided.
    public var policy: String?
    /// The body of the answer, sent or not; nil while there is none.
    public var answer: String?
    /// The number of failed attempts.
    public var attempts: Int
    /// When to try next; nil for never.
    public var dueAt: Instant?
    /// When it was settled; nil while it waits.
    public var settledAt: Instant?

    /// Stores the given values without checking them.
    public init(
        state: RefundState,
        detail: String? = nil,
        policy: String? = nil,
        answer: String? = nil,
        attempts: Int = 0,
        dueAt: Instant? = nil,
        settledAt: Instant? = nil
    ) {
        self.state = state
        self.detail = detail
        self.policy = policy
        self.answer = answer
        self.attempts = attempts
        self.dueAt = dueAt
        self.settledAt = settledAt
    }
}
